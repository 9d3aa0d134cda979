import type { GateRules } from '../gates/gate-rule.ts'
import type { AdapterDeclaration } from '../model/adapter.ts'
import { canonicalJson } from '../model/canonical.ts'
import type { JsonObject, JsonValue } from '../model/json-value.ts'
import type { CanaryTool, Stage } from './certify-harness.ts'
import { answerPending, pendingHold, settle, startCall } from './release-hold.ts'

/** One claim of contract 6: whether a declaration makes it, and a trial that returns what speaks against it. */
export type AdapterClaim = {
  readonly name: string
  readonly text: string
  readonly gates: GateRules
  readonly tools: readonly CanaryTool[]
  isMadeBy(adapter: AdapterDeclaration): boolean
  fault(stage: Stage): Promise<string | undefined>
}

const ARGS = { n: 7, note: 'as sent: é "1" 0.10', deep: { list: [1, '2', null], flag: false } }
const DENIAL = 'Canary, do not sing yet.'
const canary = (name: string, fails = false): CanaryTool => ({ name, fails })
const LOCKED: GateRules = { rules: [{ gate: 'opened', tools: ['canary'], message: DENIAL }], marks: [{ gate: 'opened', tools: ['opener'] }] }
const ASKED: GateRules = { rules: [{ gate: 'confirm', tools: ['canary'], message: 'May the canary sing?' }] }
const FREE: GateRules = { rules: [] }

/** The claims in the order in which they are proven. */
export const ADAPTER_CLAIMS: readonly AdapterClaim[] = [
  {
    name: 'deny',
    text: 'a denial keeps the tool from running, and its message reaches the model',
    gates: LOCKED,
    tools: [canary('canary'), canary('opener')],
    isMadeBy: ({ effects }) => effects.deny,
    async fault(stage) {
      const read = await stage.call('canary', ARGS)
      await settle(stage)
      if ((await stage.received()).length > 0) return 'the tool ran although its gate was not marked'
      return read.startsWith(DENIAL) ? undefined : `the model read ${JSON.stringify(read)}, not the message first`
    },
  },
  {
    name: 'replace',
    text: 'a replacement is what the tool receives, whole',
    gates: FREE,
    tools: [canary('canary')],
    isMadeBy: ({ effects }) => effects.replace,
    async fault(stage) {
      await stage.call('canary', { ...ARGS, n: '7' })
      return receivedFault(await stage.received(), [['canary', ARGS]])
    },
  },
  {
    name: 'hold',
    text: 'a held call does not run until it is released, runs exactly once, and never after a no',
    gates: ASKED,
    tools: [canary('canary')],
    isMadeBy: ({ effects }) => effects.hold,
    fault: async (stage) => (await denialFault(stage)) ?? (await approvalFault(stage)),
  },
  {
    name: 'observe',
    text: 'a success marks what it makes true, a failure and a denial do not',
    gates: { ...LOCKED, marks: [{ gate: 'opened', tools: ['opener', 'failing'] }] },
    tools: [canary('canary'), canary('opener'), canary('failing', true)],
    isMadeBy: ({ effects, lifecycle }) => effects.observe && lifecycle.includes('post:tool.success'),
    async fault(stage) {
      await stage.call('failing', ARGS)
      await stage.call('canary', ARGS)
      if ((await stage.received()).some(({ tool }) => tool === 'canary')) return 'a call that failed opened the gate'
      await stage.call('opener', ARGS)
      await stage.call('canary', ARGS)
      return (await stage.received()).some(({ tool }) => tool === 'canary') ? undefined : 'a call that succeeded did not open the gate'
    },
  },
  {
    name: 'identity',
    text: 'the tool name that is judged is the tool that runs',
    gates: LOCKED,
    tools: [canary('canary'), canary('opener'), canary('canary_2')],
    isMadeBy: ({ identity }) => identity,
    async fault(stage) {
      for (const tool of ['canary', 'opener', 'canary_2', 'canary']) await stage.call(tool, ARGS)
      const expected: readonly Run[] = [['opener', ARGS], ['canary_2', ARGS], ['canary', ARGS]]
      const judged = (await decisions(stage)).map(({ tool, verdict }) => `${tool}:${verdict}`).join(' ')
      if (judged !== 'canary:refuse opener:run canary_2:run canary:run') return `the names judged were ${judged}`
      return receivedFault(await stage.received(), expected)
    },
  },
  {
    name: 'completeCandidate',
    text: 'the candidate that is judged is all that the tool receives',
    gates: FREE,
    tools: [canary('canary')],
    isMadeBy: ({ completeCandidate }) => completeCandidate,
    async fault(stage) {
      await stage.call('canary', ARGS)
      const [decision] = await decisions(stage)
      if (canonicalJson(decision?.args ?? null) !== canonicalJson(ARGS)) return `the candidate was ${canonicalJson(decision?.args ?? null)}`
      return receivedFault(await stage.received(), [['canary', ARGS]])
    },
  },
]

async function denialFault(stage: Stage): Promise<string | undefined> {
  const denied = { ...ARGS, n: 8 }
  const call = startCall(stage, 'canary', denied)
  if ((await pendingHold(stage)) === undefined) return 'no hold was opened'
  // An adapter that has said that it waits hears of the no when it is called again.
  const saysThatItWaits = call.isAnswered()
  await answerPending(stage, 'deny')
  if ((await call.answer()) === undefined) return 'the model read nothing after a person said no'
  if (saysThatItWaits && (await startCall(stage, 'canary', denied).answer()) === undefined) return 'the model read nothing of a no when it called again'
  await settle(stage)
  return (await stage.received()).length > 0 ? 'the tool ran although a person said no' : undefined
}

async function approvalFault(stage: Stage): Promise<string | undefined> {
  const call = startCall(stage, 'canary', ARGS)
  if ((await pendingHold(stage)) === undefined) return 'no hold was opened'
  await settle(stage)
  if ((await stage.received()).length > 0) return 'the tool ran before a person said yes'
  await answerPending(stage, 'approve')
  if ((await call.answer()) === undefined) return 'the model read nothing after a person said yes'
  if ((await stage.received()).length === 0) await startCall(stage, 'canary', ARGS).answer()
  await settle(stage)
  const fault = receivedFault(await stage.received(), [['canary', ARGS]])
  if (fault !== undefined) return fault
  startCall(stage, 'canary', ARGS)
  if ((await pendingHold(stage)) === undefined) return 'an identical call after the run was not held anew'
  await settle(stage)
  return receivedFault(await stage.received(), [['canary', ARGS]])
}

type Run = readonly [tool: string, args: JsonObject]

function receivedFault(received: readonly { readonly tool: string; readonly args: unknown }[], expected: readonly Run[]): string | undefined {
  const ran = canonicalJson(received.map(({ tool, args }) => [tool, args as JsonValue]))
  const wanted = canonicalJson(expected)
  return ran === wanted ? undefined : `the tools received ${ran}, not ${wanted}`
}

async function decisions(stage: Stage): Promise<readonly { readonly tool: string; readonly verdict: string; readonly args: JsonValue }[]> {
  await stage.store.record.flush()
  const entries = await stage.store.record.read(0, 100)
  const made = entries.filter(({ kind }) => kind === 'decision')
  return made.map(({ data }) => ({ tool: textOf(data['tool']), verdict: textOf(data['verdict']), args: data['args'] ?? null }))
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}
