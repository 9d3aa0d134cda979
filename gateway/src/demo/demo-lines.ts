import pc from 'picocolors'
import { revealPlain, shorten } from '../cli/reveal.ts'
import type { Output } from '../cli/surroundings.ts'
import type { DemoCall } from './decision-reader.ts'
import type { DemoResult } from './demo-client.ts'
import type { DemoStep } from './demo-steps.ts'

const TOOL_WIDTH = 14
const ARGS_WIDTH = 46
const WHY_WIDTH = 80
const REPEATED = 'held anew: '

/** Writes the demo's lines, in colour where there is a terminal and `NO_COLOR` is not set. */
export type DemoLines = {
  heading(text: string): void
  plain(text: string): void
  call(call: DemoCall, step: DemoStep, result: DemoResult): void
  approved(hold: string, approver: string): void
}

/** Makes the writer of one demo. */
export function createDemoLines(out: Output, env: Readonly<Record<string, string | undefined>>): DemoLines {
  const colors = pc.createColors(out.isTTY === true && (env['NO_COLOR'] ?? '') === '')
  const paint = { ran: colors.green, repaired: colors.cyan, held: colors.yellow, refused: colors.red }
  const write = (word: string, tool: string, args: string, why: string): void =>
    void out.write(`${[word, tool.padEnd(TOOL_WIDTH), args.padEnd(ARGS_WIDTH), why].join('  ').trimEnd()}\n`)
  return {
    heading: (text) => void out.write(`${colors.bold(text)}\n`),
    plain: (text) => void out.write(`${text}\n`),
    call(call, step, result) {
      write(
        paint[call.verdict](call.verdict.padEnd(8)),
        revealPlain(call.tool),
        shorten(sentText(step), ARGS_WIDTH),
        colors.dim(whyOf(call, step, result)),
      )
    },
    approved(hold, approver) {
      write(colors.green('yes'.padEnd(8)), 'holds approve', hold, colors.dim(`by "${approver}", in a second process`))
    },
  }
}

function whyOf({ verdict, rule, args }: DemoCall, step: DemoStep, { text }: DemoResult): string {
  const [firstLine = ''] = text.split('\n')
  const said = shorten(revealPlain(firstLine), WHY_WIDTH)
  switch (verdict) {
    case 'refused':
      return `${rule ?? 'refused'}: ${said}`
    case 'held':
      return `${step.before === undefined ? '' : REPEATED}${rule ?? 'confirm'}: ${said}`
    case 'repaired':
      return changesOf(step.args, args)
    case 'ran':
      return said
  }
}

/** The arguments as they were sent. */
function sentText({ args }: DemoStep): string {
  return Object.entries(args)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(' ')
}

/** What was sent and what ran, argument by argument. */
function changesOf(sent: Readonly<Record<string, unknown>>, args: DemoCall['args']): string {
  const ran = new Map<string, unknown>(typeof args === 'object' && args !== null ? Object.entries(args) : [])
  return Object.entries(sent)
    .filter(([name, value]) => ran.get(name) !== value)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)} became ${JSON.stringify(ran.get(name))}`)
    .join(', ')
}
