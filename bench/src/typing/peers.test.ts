import { expect, test } from 'vitest'
import { createInputs } from './inputs.ts'
import { ours } from './ours.ts'
import { PEERS } from './peers.ts'
import { TIERS } from './tiers.ts'

const entrants = [...TIERS.map(ours), ...PEERS]

test.each(entrants.flatMap((entrant) => (['valid', 'repairable'] as const).map((kind) => [entrant.name, kind, entrant] as const)))(
  '%s reads %s arguments as the tool wants them', (_, kind, entrant) => {
    const read = entrant.readerOf(kind)
    for (const { sent, wanted } of createInputs(kind)) expect(read(sent)).toEqual(wanted)
  },
)

test.each(entrants.map((entrant) => [entrant.name, entrant] as const))('%s refuses a limit above the maximum, so that the bench times a whole check', (_, entrant) => {
  const [input] = createInputs('valid')
  expect(() => entrant.readerOf('valid')({ ...input?.sent, limit: 1_001 })).toThrow(Error)
})
