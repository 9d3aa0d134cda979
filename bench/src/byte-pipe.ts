import { spawn } from 'node:child_process'

// The least that any gateway in Node can cost: start the server and hand bytes both ways.
const [program = '', ...args] = process.argv.slice(2)
const server = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })

process.stdin.pipe(server.stdin)
server.stdout.pipe(process.stdout)
server.on('close', (code) => process.exit(code ?? 1))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))
