import { createGatekeeper } from '@callgate/core'
import type { AdapterDeclaration, Clock, Gatekeeper, GateRules, Random, Redactor, Store } from '@callgate/core'
import { errorAnswer } from '../wire/answers.ts'
import type { RawId } from '../wire/raw-id.ts'
import { createCallDesk } from './call-desk.ts'
import { createClientSide } from './client-side.ts'
import { AnswerLostError, deliverAnswer, fateOf } from './gated-call.ts'
import type { GatedCall, ServerAnswer, Slot } from './gated-call.ts'
import { createInFlight } from './in-flight.ts'
import type { InFlight, Pending } from './in-flight.ts'
import { listTools } from './list-tools.ts'
import { createOwnRequests } from './own-requests.ts'
import { createRefusalRecorder } from './refusal-recorder.ts'
import { createSentDigest } from './sent-digest.ts'
import type { ArgumentsReading } from './read-arguments.ts'
import { reportTools } from './report-tools.ts'
import { createServerSide } from './server-side.ts'
import { INTERNAL_ERROR } from './settle-gated-call.ts'
import type { HoldWaits } from './settle-gated-call.ts'
import { createToolCatalogue } from './tool-catalogue.ts'
import { createTermsReader } from './tool-terms.ts'
import type { ToolTyping } from './tool-typing.ts'

/** One client before one server: reads the lines of both, lets no call through undecided. */
export type Relay = {
  /** Takes a line of the client, LF included. */
  fromClient(line: Buffer): void
  /** Takes a line of the server, LF included; false where it is no message. */
  fromServer(line: Buffer): boolean
  /** The client sends nothing more: held calls are answered, and nobody waits for a person any more. */
  clientClosed(): void
  /** The server takes nothing more: what is not forwarded yet never is, for the reason `why`. */
  serverClosing(why: string): void
  /** The server takes and says nothing more: every request in flight is answered with an error that begins with `why`. */
  serverGone(why: string): void
  /** No answer will come for one request that the server was sent: it is answered with an error that begins with `why`. */
  answerLost(id: RawId, why: string): void
  /** Nobody listens for one answer any more: a call that waits for a person waits no longer, and never runs later on its own. */
  clientLeft(id: RawId): void
  /** Answers what is left in flight although the store has not come back yet. */
  abandon(): void
  /** Resolves when no request is in flight. */
  idle(): Promise<void>
}

/** What a relay is made of; waits are milliseconds, limits bytes or counts. */
export type RelayOptions = {
  readonly store: Store
  readonly gates: GateRules
  readonly typing: ToolTyping | undefined
  readonly principal: string
  readonly session: string
  /** Who asks, where a rule says that the requester may not approve; the principal if absent. */
  readonly requester?: string
  readonly redactor?: Redactor
  readonly server: string
  readonly clock: Clock
  readonly random: Random
  readonly owner?: string
  readonly isOwnerGone?: (owner: string) => boolean
  readonly waits: HoldWaits & { readonly listMs: number }
  readonly limits: { readonly inFlight: number; readonly callBytes: number; readonly argumentBytes: number }
  toServer(bytes: Buffer): void
  /** What the gateway itself says to the client. */
  toClient(bytes: Buffer): void
  /** What the server says to the client, in its order. */
  readonly outlet: { write(bytes: Buffer): void; reserve(): Slot }
  log(line: string): void
}

/** What the gateway declares of itself (contract 6); its certificate is `stdio/certificate.test.ts`. */
export const ADAPTER: AdapterDeclaration = {
  id: 'mcp-gateway',
  version: '0.1.0',
  lifecycle: ['pre:tool.call', 'post:tool.success', 'post:tool.failure'],
  effects: { deny: true, replace: true, hold: true, observe: true },
  identity: true,
  completeCandidate: true,
}

/** Makes a relay; throws what `createGatekeeper` throws. */
export function createRelay(options: RelayOptions): Relay {
  const { clock, random, toServer, toClient, outlet, log, waits } = options
  let goneWhy: string | undefined
  const gone = (): string | undefined => goneWhy
  const gatekeeper = gatekeeperOf(options)
  const inFlight = createInFlight()
  const catalogue = createToolCatalogue((names) => void reportTools(options.gates, names, log))
  const own = createOwnRequests({ clock, random, toServer })
  const desk = createCallDesk({
    session: gatekeeper.session(options.session, {
      principal: options.principal,
      ...(options.requester !== undefined && { requester: options.requester }),
    }),
    gatekeeper,
    clock,
    server: { toServer, gone },
    waits,
    ...(options.redactor !== undefined && { redactor: options.redactor }),
    toClient,
    log,
    catalogue,
    termsOf: createTermsReader(options.typing),
    admitsUnlisted: options.gates.unlisted === 'allow',
    sentDigest: createSentDigest(),
    recordRefusal: createRefusalRecorder(options),
    list: createLister((meta) => listTools({ own, catalogue, clock, timeoutMs: waits.listMs }, meta)),
    done: (call) => inFlight.removeCall(call),
  })

  return {
    fromClient: createClientSide({
      inFlight,
      desk,
      limits: options.limits,
      reading: readingOf(options),
      toServer,
      toClient,
      inOrder: outlet.write,
      gone,
      log,
    }),
    fromServer: createServerSide({ inFlight, own, catalogue, toClient: outlet.write, reserve: outlet.reserve, log }),
    idle: inFlight.idle,
    clientClosed: () => inFlight.all.forEach(stopWaiting),
    serverClosing(why) {
      goneWhy = why
    },
    serverGone(why) {
      goneWhy = why
      for (const pending of inFlight.all) endPending(pending, why, options)
      for (const { id, kind } of inFlight.all) if (kind === 'plain') inFlight.forget(id)
      own.close()
    },
    answerLost: (id, why) => loseAnswer(inFlight, id, why, options),
    clientLeft: (id) => stopWaiting(inFlight.get(id)),
    abandon() {
      for (const pending of inFlight.all)
        if (pending.kind === 'call') abandonCall(pending.call, goneWhy ?? 'The gateway ends.', options)
    },
  }
}

function readingOf({ limits, typing, redactor }: RelayOptions): ArgumentsReading {
  return { mostBytes: limits.argumentBytes, readsText: typing?.readsText ?? false, hidesNames: redactor !== undefined }
}

function stopWaiting(pending: Pending | undefined): void {
  if (pending?.kind === 'call') pending.call.stopWaiting.abort()
}

function loseAnswer(inFlight: InFlight, id: RawId, why: string, options: RelayOptions): void {
  const pending = inFlight.get(id)
  if (pending === undefined) return
  inFlight.removePlain(id)
  endPending(pending.kind === 'call' ? pending : { ...pending, count: 1 }, why, options)
}

/** Without the server a plain request is answered at once, a call on its way through the gatekeeper. */
function endPending(pending: Pending, why: string, { toClient }: RelayOptions): void {
  if (pending.kind === 'plain') {
    const lost = errorAnswer(pending.id, INTERNAL_ERROR, `${why} Whether the request was carried out is unknown.`)
    for (let answered = 0; answered < pending.count; answered += 1) toClient(lost)
    return
  }
  pending.call.stopWaiting.abort()
  pending.call.forwarded?.reject(new AnswerLostError(why))
}

function abandonCall(call: GatedCall, why: string, { toClient }: RelayOptions): void {
  if (call.answer !== undefined) return deliverAnswer(call, call.answer)
  if (!call.isCancelled) toClient(errorAnswer(call.message.id, INTERNAL_ERROR, `${why} ${fateOf(call)}`))
  call.isCancelled = true
}

function gatekeeperOf({ owner, isOwnerGone, redactor, ...options }: RelayOptions): Gatekeeper {
  const { gates, typing, store, clock, random, server, log } = options
  const gatekeeper = createGatekeeper({
    gates,
    policies: typing?.policies ?? [],
    store,
    clock,
    random,
    adapter: ADAPTER,
    server,
    completion: (result) => (result as ServerAnswer).completion,
    reading: (result) => (result as ServerAnswer).reading(),
    warn: log,
    ...(redactor !== undefined && { redactor }),
    ...(owner !== undefined && { owner }),
    ...(isOwnerGone !== undefined && { isOwnerGone }),
  })
  gatekeeper.recover().then(
    (count) =>
      count > 0
        ? log(`${count} approved calls of a process that has ended have an unknown outcome; they are not run again`)
        : undefined,
    (error: unknown) => log(`what ended processes left could not be looked through: ${String(error)}`),
  )
  return gatekeeper
}

/** One listing at a time: who asks while one is under way gets its result. */
function createLister(
  list: (meta: string | undefined) => Promise<string | undefined>,
): (meta: string | undefined) => Promise<string | undefined> {
  let current: Promise<string | undefined> | undefined
  return (meta) => {
    current ??= list(meta).finally(() => {
      current = undefined
    })
    return current
  }
}
