import { PassThrough } from 'node:stream'
import { placeIn } from '../state/temp-folder.fixture.ts'
import { runCli } from './main.ts'
import type { Ended } from './run-bin.fixture.ts'

/** Runs the command line in this process, in `folder`, which is its home too, without a terminal; for commands that start nothing. */
export async function runHere(args: readonly string[], folder: string, env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const streams = { stdin: new PassThrough().end(), stdout: new PassThrough(), stderr: new PassThrough() }
  const texts = { stdout: '', stderr: '' }
  streams.stdout.setEncoding('utf8').on('data', (text: string) => void (texts.stdout += text))
  streams.stderr.setEncoding('utf8').on('data', (text: string) => void (texts.stderr += text))
  const code = await runCli(args, { ...placeIn(folder, env), ...streams })
  return { code, ...texts }
}
