import { asSentence } from '../gates/as-sentence.ts'
import type { CompiledGates } from '../gates/compile-gates.ts'
import type { ChargeFault } from '../gates/charge-call.ts'
import type { LimitRule } from '../gates/gate-rule.ts'
import { createNameMatcher } from '../gates/name-pattern.ts'
import type { UnmetGate } from '../gates/judge-gates.ts'
import type { ToolBlock } from '../gates/prepare-call.ts'
import { reveal } from '../model/reveal.ts'

const MAX_SHOWN = 200

/** What is known beside the rule: which tools run beside the call, which failed last, which keys the gate has. */
export type UnmetContext = {
  readonly gates: CompiledGates
  readonly inFlight: ReadonlySet<string>
  hasFailed(tool: string): boolean
  /** Some of the keys that the gate is marked with, as far as they count for the call. */
  readonly keys: readonly string[]
  /** The mark that is missing is there, and counts for later calls only. */
  readonly isMarkedSince: boolean
}

/** What the model reads of an unmet rule (contract 9): the author's message, that nothing ran, the gate, the way out. */
export function unmetMessage(unmet: UnmetGate, context: UnmetContext): string {
  const changed = unmet.isChanged === true ? 'Another call changed what this rule reads while this one was judged or waited. ' : ''
  return `${unmet.rule.message}\n\nNothing was executed. ${changed}${wayOut(unmet, context)}`
}

/** What the model reads of a tool that the rules refuse whatever it is called with. */
export function blockedMessage(tool: string, { kind }: ToolBlock): string {
  const name = shown(JSON.stringify(tool))
  switch (kind) {
    case 'deny':
      return `The tool ${name} is forbidden here (deny). Nothing was executed. No prerequisite and no approval opens it: do without it, or tell the user.`
    case 'allow':
      return `The tool ${name} is not among those that are allowed here (allow). Nothing was executed. Do without it, or tell the user.`
    case 'default':
      return `No rule is about the tool ${name}, and such tools are refused here (default). Nothing was executed. Do without it, or tell the user.`
    case 'unlisted':
      return `The tool ${name} does not exist on this server. Nothing was executed. Use a tool that the server lists.`
  }
}

/** What the model reads of a limit that is reached. */
export function limitMessage(limit: LimitRule, tool: string): string {
  const { calls, max, sum, repeats, perMs } = limit
  const window = perMs === undefined ? 'in this session' : `within ${durationText(perMs)}`
  if (repeats !== undefined) {
    return `The same call of ${JSON.stringify(tool)} ran ${repeats} times in a row, the most that is allowed (limits). Nothing was executed. Do something else first; the same call again gives the same result.`
  }
  const bound = calls === undefined ? `the sum of ${sum?.source ?? 'its amounts'} may be at most ${String(max)} ${window}` : `at most ${calls} of them may run ${window}`
  return `A limit on calls of ${JSON.stringify(tool)} is reached: ${bound} (limits). Nothing was executed. ${whenOpen(limit)}`
}

/** A window opens again when what ran has left it; of a sum a smaller amount may fit before. */
function whenOpen({ calls, perMs }: LimitRule): string {
  if (perMs === undefined) return 'Tell the user; it opens in another session only.'
  const lasts = durationText(perMs)
  if (calls !== undefined) return `It opens again within ${lasts}: try then, or tell the user.`
  return `What ran counts for ${lasts}, and a smaller amount may fit before: try either, or tell the user.`
}

/** What the model reads where a limit or a clearing cannot be judged. */
export function chargeFaultMessage({ limit, mark, kind, why }: ChargeFault): string {
  const line = limit?.line ?? mark?.line
  const what = limit === undefined ? `the clearing of the gate "${mark?.gate ?? ''}"` : 'a limit'
  const where = line === undefined ? what : `${what} (line ${line})`
  if (kind === 'arguments') return `The arguments cannot be judged by ${where}: ${asSentence(shown(why))} Nothing was executed. Correct the arguments, then send the call again.`
  return `An error came up in ${where}: ${asSentence(shown(why))} Nothing was executed. This is a fault of the rules or of the arguments: correct the arguments, or tell the user.`
}

function wayOut({ rule, why, key, detail = '' }: UnmetGate, context: UnmetContext): string {
  const gate = `The gate "${rule.gate}"`
  const at = rule.line === undefined ? '' : ` (line ${rule.line})`
  switch (why) {
    case 'unmarked':
      return `${gate} is not marked${whatNext(rule.gate, '', context)}`
    case 'missing_key':
      return `${gate} is not marked for ${shown(key ?? '')}${otherKeys(context.keys)}${whatNext(rule.gate, ` for ${shown(key ?? '')}`, context)}`
    case 'no_key':
      return `${gate} asks for ${shown(detail)}, and this call does not have it. Add it, then send the call again.`
    case 'require':
      return `${gate}${at} asks for ${rule.require?.source ?? 'more'}, and what is known${key === undefined ? '' : ` of ${shown(key)}`} does not say so. If that may have changed, look again first${anyMarker(rule.gate, context.gates)}; else do something else.`
    case 'rule_error':
      return `The rule of the gate "${rule.gate}"${at} could not be judged (rule_error): ${asSentence(shown(detail))} Correct the arguments, or tell the user.`
    case 'arguments':
      return `${gate}${at} looks at the arguments, and they cannot be relied on: ${asSentence(shown(detail))} Correct them, then send the call again.`
    case 'taken':
      return `${gate} was marked${key === undefined ? '' : ` for ${shown(key)}`} each time that this call was judged, and other calls took the mark before it could. Send the same call again.`
  }
}

function whatNext(gate: string, about: string, { gates, inFlight, hasFailed, isMarkedSince }: UnmetContext): string {
  const markers = waysIn(gate, gates)
  const running = [...inFlight].filter((tool) => gates.mayMark(gate, tool))
  if (running.length > 0) return ` yet: ${anyOf(running)} is still running. Wait for its result, then send the same call again.`
  if (isMarkedSince) return ' for this call: it was marked after the call came in, and that counts for later calls. Send the same call again.'
  if (markers.length > 0) {
    const failed = markers.filter(hasFailed)
    const told = failed.length === 0 ? '' : ` ${anyOf(failed)} has not completed successfully (its last try failed).`
    return `:${told} call ${anyOf(markers)}${about} and wait for its success, then send the same call again.`
  }
  if (gates.isMarkedByUser(gate)) return ', and no tool marks it: it comes from what the user wrote. Ask the user to name it, then send the same call again.'
  return ', and no tool marks it: the application does. Send the same call again once that is done.'
}

/** The tools that mark the gate and do not need it themselves; all of them where each does. */
function waysIn(gate: string, gates: CompiledGates): readonly string[] {
  const markers = gates.markersOf(gate)
  const needing = gates.source.rules.filter((rule) => rule.gate === gate).flatMap(({ tools = [] }) => tools)
  const free = markers.filter((tool) => !needing.some((name) => createNameMatcher(name)(tool) || createNameMatcher(tool)(name)))
  return free.length > 0 ? free : markers
}

function otherKeys(keys: readonly string[]): string {
  return keys.length === 0 ? '' : ` (it is marked for ${keys.map(shown).join(', ')})`
}

function anyMarker(gate: string, gates: CompiledGates): string {
  const markers = waysIn(gate, gates)
  return markers.length === 0 ? '' : ` with ${anyOf(markers)}`
}

function anyOf(tools: readonly string[]): string {
  const names = tools.map((tool) => `"${tool}"`)
  return names.length === 1 ? String(names[0]) : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}

function durationText(ms: number): string {
  const units = [['d', 86_400_000], ['h', 3_600_000], ['m', 60_000], ['s', 1_000]] as const
  const [unit, size] = units.find(([, each]) => ms % each === 0) ?? ['ms', 1]
  return `${ms / size}${unit}`
}

function shown(text: string): string {
  const revealed = reveal(text)
  return revealed.length > MAX_SHOWN ? `${revealed.slice(0, MAX_SHOWN)}…` : revealed
}
