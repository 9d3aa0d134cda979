import { expect, test } from 'vitest'
import { tempFolder } from '../state/temp-folder.fixture.ts'
import { runHere } from './run-here.fixture.ts'
import { createProgram } from './program.ts'
import { systemSurroundings } from './surroundings.ts'

const BUILT = ['run', 'demo', 'holds', 'token', 'audit', 'check', 'replay']

async function namesFor(...args: readonly string[]): Promise<readonly string[]> {
  const program = await createProgram(args, systemSurroundings(), () => undefined)
  return program.commands.map((command) => command.name())
}

test.each(BUILT)('%s is loaded alone where the arguments begin with it', async (name) => {
  expect(await namesFor(name, '--help')).toEqual([name])
})

test.each([[[]], [['--help']], [['help', 'run']], [['frobnicate', 'run']], [['toString']], [['prove']]])(
  '%j loads all commands, those that are not built too',
  async (args) => {
    const names = await namesFor(...args)
    expect(names.slice(0, BUILT.length)).toEqual(BUILT)
    expect(names).toContain('prove')
  },
)

test('the help lists every built command, in order', async () => {
  const { stdout } = await runHere(['--help'], tempFolder())
  const listed = stdout.split('\n').flatMap((line) => /^ {2}([a-z]+) /.exec(line)?.[1] ?? [])
  expect(listed.filter((name) => name !== 'help')).toEqual(BUILT)
})

test('help about one command is that command\u2019s', async () => {
  expect((await runHere(['help', 'run'], tempFolder())).stdout).toContain('Usage: callgate run')
})
