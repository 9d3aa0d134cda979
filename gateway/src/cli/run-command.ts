import { CallgateError, isCallgateError } from '@callgate/core'
import { InvalidArgumentError, Option } from 'commander'
import type { Command } from 'commander'
import type { Settle } from './settle.ts'
import type { RunOptions } from './run-gateway.ts'
import type { Surroundings } from './surroundings.ts'

const MAX_WAIT_MS = 86_400_000
const UNBUILT = ['--shadow', '--console <port>']

const HELP = `
The server's command follows --, or stands in the gates file under server.command; relative paths in it
mean the current folder. A server over Streamable HTTP is named by --url or server.url instead. With --listen each
session of a client has a server of its own. stdin and stdout belong to the MCP client: all that is for people goes to stderr.

  callgate run --gates ~/gates.yml -- npx -y @modelcontextprotocol/server-filesystem ./invoices
  callgate run --url https://mcp.example.com/mcp --header 'Authorization: Bearer \${API_TOKEN}'

Nothing starts when the gates file or the store lies below a path that the server is given: the agent could
change its own rules there. --allow-inside says that the server cannot write there.`

/** `callgate run`: the gateway on stdio or over HTTP, in front of a server on stdio or over HTTP. */
export function addRunCommand(program: Command, surroundings: Surroundings, settle: Settle): void {
  const command = program
    .command('run')
    .description('the gateway in front of an MCP server, on stdio or over HTTP')
    .argument('[server...]', "the server's program and its arguments, after --")
    .option('--gates <file>', 'the gates file', './gates.yml')
    .option('--store <where>', 'where state lives: a path, or memory: (else CALLGATE_STORE, else one file a gates file)')
    .option('--url <url>', 'the server is one over Streamable HTTP, there')
    .option('--header <header>', 'a header for --url, as "Name: text with ${VARIABLE}"; may stand several times', addText)
    .option('--listen <address>', 'serve Streamable HTTP at [HOST:]PORT instead of stdio; loopback without a host')
    .option('--token-file <file>', 'with --listen: the bearer tokens of the clients, one a line as NAME: TOKEN')
    .option('--allow-host <name>', 'with --listen: another host that clients call it by; may stand several times', addText)
    .option('--session-header <name>', "with --listen: the header by which a client's host names the session in which marks live", parseSessionHeader)
    .option('--session <id>', 'the session in which marks live; the same id continues it (default: a new one)', parseSession)
    .option('--allow-inside', 'start although the gates file or the store lies below a path given to the server')
    .option('--hold-ms <ms>', 'how long a held call waits before the client is told to call again', parseWait, 45_000)
    .option('--hold-progress-ms <ms>', 'the same where the client takes progress', parseWait, 240_000)
    .option('--json', 'write what goes to stderr as JSON lines')
    .addHelpText('after', HELP)
  for (const flags of UNBUILT) command.addOption(new Option(flags).hideHelp())
  command.action(async (server: readonly string[], options: RunOptions) => {
    try {
      refuseUnbuilt(command)
      const { runGateway } = await import('./run-gateway.ts')
      settle(await runGateway(server, options, surroundings))
    } catch (error) {
      if (options.json !== true || !isCallgateError(error)) throw error
      surroundings.stderr.write(`${JSON.stringify({ message: error.message, code: error.code })}\n`)
      settle(2)
    }
  })
}

function refuseUnbuilt(command: Command): void {
  for (const flags of UNBUILT) {
    const option = new Option(flags)
    if (command.getOptionValue(option.attributeName()) === undefined) continue
    throw new CallgateError(
      'unsupported',
      `"run ${option.long ?? flags}" is not built yet. callgate run --help lists what there is.`,
    )
  }
}

function parseWait(text: string): number {
  const ms = Number(text)
  if (!/^\d+$/.test(text) || ms > MAX_WAIT_MS) throw new InvalidArgumentError(`milliseconds from 0 to ${MAX_WAIT_MS} are wanted`)
  return ms
}

function parseSessionHeader(text: string): string {
  if (!/^[A-Za-z0-9-]{1,100}$/.test(text)) throw new InvalidArgumentError('the name of a header is wanted')
  return text
}

function addText(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text]
}

function parseSession(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('a session needs a name')
  return text
}
