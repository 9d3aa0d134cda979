import { isCallgateError } from '@callgate/core'
import type { ToolCall } from '@callgate/core'
import { errorAnswer } from '../wire/answers.ts'
import type { GatedCall } from './gated-call.ts'
import { messageOf, ownRefusal, quoted } from './own-refusal.ts'
import type { OwnRefusal } from './own-refusal.ts'
import type { RefusalRecorder } from './refusal-recorder.ts'
import { gatewayRefusalText } from './refusal-result.ts'
import type { RefusalText } from './refusal-result.ts'
import type { SentDigest } from './sent-digest.ts'
import { INTERNAL_ERROR, refuseCall, settleGatedCall } from './settle-gated-call.ts'
import type { SettlingPorts } from './settle-gated-call.ts'
import type { Lookup, ToolCatalogue } from './tool-catalogue.ts'
import type { TermsReader, ToolTerms } from './tool-terms.ts'

/** Takes calls in the order in which they arrive, and hands them to the gatekeeper in that order once the tools are known. */
export type CallDesk = {
  take(call: GatedCall): void
  /** Answers a call whose arguments cannot be read; the record says so. */
  refuse(call: Pick<GatedCall, 'message'>, refusal: OwnRefusal): void
}

/** What the desk works with. */
export type DeskPorts = Omit<SettlingPorts, 'staleness'> & {
  readonly catalogue: ToolCatalogue
  readonly termsOf: TermsReader
  /** Whether a tool that the server does not list is left to the rules. */
  readonly admitsUnlisted: boolean
  readonly sentDigest: SentDigest
  readonly recordRefusal: RefusalRecorder
  /** Asks the server for its tools, with the `_meta` of the call that comes first; resolves with why that failed, as a clause. */
  list(meta: string | undefined): Promise<string | undefined>
  /** The call is over: answered, or cancelled and never forwarded. */
  done(call: GatedCall): void
}

const MAX_LISTINGS = 3

/** Makes the desk. While a listing is awaited calls queue; the caller bounds how many there are. */
export function createCallDesk(ports: DeskPorts): CallDesk {
  const queue: GatedCall[] = []
  const settling: SettlingPorts = { ...ports, staleness: (held, { definition }) => staleness(ports, held, definition) }
  let isListing = false

  const refuse = (call: Pick<GatedCall, 'message'>, { cause, reason }: OwnRefusal): void => {
    ports.recordRefusal(call.message.name, cause, reason)
    refuseCall(ports, call, gatewayRefusalText(cause, reason))
  }
  const decline = (call: GatedCall, refusal: OwnRefusal): void => {
    refuse(call, refusal)
    ports.done(call)
  }

  const judge = (call: GatedCall, lookup: Lookup): void => {
    const terms = termsFor(ports, call.message.name, lookup)
    const judged = 'kind' in terms ? terms : toolCallOf(call, terms, ports.sentDigest)
    if ('kind' in judged) return decline(call, judged)
    settleGatedCall(settling, call, judged)
      .catch((error: unknown) => ports.log(`a call of ${quoted(call.message.name)} was not settled: ${messageOf(error)}`))
      .finally(() => ports.done(call))
  }

  const takeNext = (): void => {
    for (let next = queue[0]; next !== undefined && !isListing; next = queue[0]) {
      const lookup = ports.catalogue.lookUp(next.message.name)
      const isOver = next.isCancelled || ports.server.gone() !== undefined
      if (lookup === undefined && !isOver) return listFirst(next)
      queue.shift()
      if (lookup === undefined || isOver) abandon(ports, next)
      else judge(next, lookup)
    }
  }

  const listFirst = (first: GatedCall): void => {
    isListing = true
    look(ports, first)
      .then((found) => {
        isListing = false
        const isRefused = typeof found === 'string' && ports.server.gone() === undefined
        if (isRefused) for (const call of queue.splice(0)) decline(call, unknownTools(call.message.name, found))
        takeNext()
      })
      .catch((error: unknown) => ports.log(`the tools could not be listed: ${messageOf(error)}`))
  }

  return {
    refuse,
    take(call) {
      queue.push(call)
      takeNext()
    },
  }
}

/** What the server lists under the call's name, listed now where no listing is known; or why that is not known, as a clause. */
async function look({ catalogue, list }: DeskPorts, { message }: GatedCall): Promise<Lookup | string> {
  let problem: string | undefined
  for (let listings = 0; listings < MAX_LISTINGS && problem === undefined; listings += 1) {
    const lookup = catalogue.lookUp(message.name)
    if (lookup !== undefined) return lookup
    problem = await list(message.modernMeta)
  }
  return catalogue.lookUp(message.name) ?? problem ?? 'the tools changed while they were listed'
}

/** An approval is bound to the tool's definition (contract 10): what the person saw must be what would run. */
async function staleness(ports: DeskPorts, call: GatedCall, definition: string | undefined): Promise<RefusalText | undefined> {
  const { name } = call.message
  const lookup = await look(ports, call)
  const terms = typeof lookup === 'string' ? unknownTools(name, lookup) : termsFor(ports, name, lookup)
  if (!('kind' in terms) && terms.definition === definition) return undefined
  const changed = `The server has changed its tool ${quoted(name)} while the call waited. Send the call again to ask anew.`
  const { cause, reason } = 'kind' in terms ? terms : ownRefusal('stale', 'stale_definition', changed)
  ports.recordRefusal(name, cause, reason)
  return gatewayRefusalText(cause, reason)
}

/** The tool's terms as the server lists it, or why the call is refused. */
function termsFor({ termsOf, admitsUnlisted }: DeskPorts, name: string, lookup: Lookup): ToolTerms | OwnRefusal {
  if (lookup.kind === 'unlisted' && admitsUnlisted) return { isListed: false }
  if (lookup.kind !== 'listed') return notListed(name, lookup)
  try {
    return termsOf(lookup.tool)
  } catch (error) {
    return ownRefusal(
      'arguments',
      'invalid_schema',
      `The server's input schema of ${quoted(name)} cannot be read: ${messageOf(error)}`,
    )
  }
}

/** A call that no listing will come for. */
function abandon(ports: DeskPorts, call: GatedCall): void {
  const gone = ports.server.gone()
  if (!call.isCancelled && gone !== undefined)
    ports.toClient(errorAnswer(call.message.id, INTERNAL_ERROR, `${gone} Nothing was executed.`))
  ports.done(call)
}

function toolCallOf({ message, candidate }: GatedCall, terms: ToolTerms, sentDigest: SentDigest): ToolCall | OwnRefusal {
  try {
    const sent = sentDigest(message.beside)
    return { tool: message.name, args: candidate, ...terms, ...(sent !== undefined && { sent }) }
  } catch (error) {
    return ownRefusal(
      'arguments',
      isCallgateError(error) ? error.code : 'inexact_candidate',
      `What is sent beside the arguments is not exact: ${messageOf(error)}`,
    )
  }
}

function notListed(name: string, lookup: Exclude<Lookup, { kind: 'listed' }>): OwnRefusal {
  if (lookup.kind === 'ambiguous') {
    return ownRefusal(
      'tool',
      'ambiguous_tool',
      `The server lists the tool ${quoted(name)} more than once: nobody can tell which one would run.`,
    )
  }
  const hint = lookup.nearest.length === 0 ? '' : ` Its nearest names: ${lookup.nearest.map(quoted).join(', ')}.`
  return ownRefusal('tool', 'unlisted_tool', `The server lists no tool ${quoted(name)}.${hint}`)
}

function unknownTools(name: string, why: string): OwnRefusal {
  return ownRefusal('tool', 'unknown_tools', `Whether the server has a tool ${quoted(name)} is not known: ${why}.`)
}
