import type { Readable, Writable } from 'node:stream'
import type { Relay } from '../calls/create-relay.ts'
import type { Slot } from '../calls/gated-call.ts'
import { errorAnswer } from '../wire/answers.ts'
import { INVALID_REQUEST, PARSE_ERROR } from '../wire/read-message.ts'
import type { ChildServer } from './child-server.ts'
import { createHappening } from './happening.ts'
import type { Happening } from './happening.ts'
import { createLineWriter } from './line-writer.ts'
import type { LineWriter } from './line-writer.ts'
import { createOrderedOutlet } from './ordered-outlet.ts'
import { readLines } from './read-lines.ts'

/** The two ends, and the bounds between them in bytes. */
export type ConnectionOptions = {
  readonly client: { readonly input: Readable; readonly output: Writable }
  readonly server: Pick<ChildServer, 'stdin' | 'stdout' | 'whenStuck'>
  readonly lineBytes: number
  readonly backlogBytes: number
  /** In which a server with more than `backlogBytes` to read takes no byte before it is stuck. */
  readonly stuckMs: number
  log(line: string): void
}

/** Where a relay's words go. */
export type RelayWires = {
  toServer(bytes: Buffer): void
  toClient(bytes: Buffer): void
  readonly outlet: { write(bytes: Buffer): void; reserve(): Slot }
}

/** A client and a server with a relay between them. The promises resolve once, when that has happened. */
export type Connection = {
  readonly relay: Relay
  /** The client sends nothing more. */
  readonly clientClosed: Promise<void>
  /** The client reads nothing more. */
  readonly clientGone: Promise<void>
  /** The server takes nothing more, although nobody closed its input from here; it may have ended. */
  readonly serverDeaf: Promise<void>
  /** The server has far too much to read and has taken none of it for `stuckMs`. */
  readonly serverStuck: Promise<void>
  /** The server wrote a message over the bound: nothing after it is read. */
  readonly serverTooLong: Promise<void>
  /** All that the server wrote has been read. */
  readonly serverSilent: Promise<void>
  /** Whether the server has written a message. */
  readonly hasHeardServer: boolean
  /** Whether the server's input was closed from here. */
  readonly isInputClosed: boolean
  closeServerInput(): void
  /** Resolves when all that was said to the client is out. */
  flushed(): Promise<void>
  /** Stops reading and listening, and lets go of the server's ends, whoever else still holds them. */
  detach(): void
}

/** Connects the two ends; whoever reads slowly slows the other side down, and nothing is kept without bound. */
export function connect(options: ConnectionOptions, makeRelay: (wires: RelayWires) => Relay): Connection {
  const { client, server, backlogBytes, stuckMs } = options
  const happenings = createHappenings()
  const state = { hasHeardServer: false, isInputClosed: false, unansweredBytes: 0 }
  const watchStuck = createWatch((act) => server.whenStuck(stuckMs, act), happenings.serverStuck.happen)

  /** A side that is not read cannot be seen to end: the client is read on for as long as what it says can be kept. */
  const balance = (): void => {
    const isServerFull = !state.isInputClosed && !toServer.isGone && toServer.backlog > backlogBytes
    watchStuck(isServerFull)
    if (toClient.backlog <= backlogBytes) state.unansweredBytes = 0
    setFlowing(client.input, !isServerFull && state.unansweredBytes < SLACK_BYTES)
    setFlowing(server.stdout, !toClient.isBackedUp && outlet.waitingBytes <= backlogBytes)
  }
  const toServer = createLineWriter(server.stdin, {
    onDrain: balance,
    onGone() {
      if (!state.isInputClosed) happenings.serverDeaf.happen()
      balance()
    },
  })
  const toClient = createLineWriter(client.output, { onDrain: balance, onGone: happenings.clientGone.happen })
  const outlet = createOrderedOutlet(toClient.write, balance)
  const relay = makeRelay({ toServer: toServer.write, toClient: toClient.write, outlet })
  const ends = { options, relay, happenings, state, toClient, balance }
  const stopClient = listenToClient(ends)
  const stopServer = listenToServer(ends)

  return {
    relay,
    clientClosed: happenings.clientClosed.promise,
    clientGone: happenings.clientGone.promise,
    serverDeaf: happenings.serverDeaf.promise,
    serverStuck: happenings.serverStuck.promise,
    serverTooLong: happenings.serverTooLong.promise,
    serverSilent: happenings.serverSilent.promise,
    get hasHeardServer() {
      return state.hasHeardServer
    },
    get isInputClosed() {
      return state.isInputClosed
    },
    closeServerInput() {
      state.isInputClosed = true
      toServer.end()
      balance()
    },
    flushed: toClient.flushed,
    detach() {
      stopClient()
      stopServer()
      server.stdin.destroy()
      server.stdout.destroy()
    },
  }
}

/** Read of a client that takes no answers: enough to see that it ends, too little to fill memory with refusals. */
const SLACK_BYTES = 65_536

type Happenings = Readonly<
  Record<'clientClosed' | 'clientGone' | 'serverDeaf' | 'serverStuck' | 'serverTooLong' | 'serverSilent', Happening>
>

function createHappenings(): Happenings {
  return {
    clientClosed: createHappening(),
    clientGone: createHappening(),
    serverDeaf: createHappening(),
    serverStuck: createHappening(),
    serverTooLong: createHappening(),
    serverSilent: createHappening(),
  }
}

/** Keeps a watch while it is wanted, begun anew each time. */
function createWatch(begin: (act: () => void) => () => void, act: () => void): (isWanted: boolean) => void {
  let stop: (() => void) | undefined
  return (isWanted) => {
    if (isWanted) stop ??= begin(act)
    else if (stop !== undefined) {
      stop()
      stop = undefined
    }
  }
}

type Ends = {
  readonly options: ConnectionOptions
  readonly relay: Relay
  readonly happenings: Happenings
  readonly state: { hasHeardServer: boolean; unansweredBytes: number }
  readonly toClient: LineWriter
  balance(): void
}

function listenToClient({ options, relay, happenings, state, toClient, balance }: Ends): () => void {
  const { client, lineBytes, log } = options
  return readLines(client.input, lineBytes, {
    line: relay.fromClient,
    chunkRead(size) {
      state.unansweredBytes += size
      balance()
    },
    tooLong() {
      const why = `The client sent a message of more than ${lineBytes} bytes; the connection ends.`
      log(why)
      toClient.write(errorAnswer(undefined, INVALID_REQUEST, why))
      happenings.clientClosed.happen()
    },
    ended(rest) {
      if (rest !== undefined) {
        log(`the client ended inside a message, which was dropped: ${rest}`)
        toClient.write(errorAnswer(undefined, PARSE_ERROR, 'The input ended inside a message, which was not forwarded.'))
      }
      happenings.clientClosed.happen()
    },
  })
}

function listenToServer({ options, relay, happenings, state, balance }: Ends): () => void {
  const { server, lineBytes, log } = options
  return readLines(server.stdout, lineBytes, {
    chunkRead: balance,
    line(bytes) {
      state.hasHeardServer = relay.fromServer(bytes) || state.hasHeardServer
    },
    tooLong() {
      log(`the server wrote a message of more than ${lineBytes} bytes; the connection ends`)
      happenings.serverTooLong.happen()
    },
    ended(rest) {
      if (rest !== undefined) log(`the server ended inside a message, which was dropped: ${rest}`)
      happenings.serverSilent.happen()
    },
  })
}

function setFlowing(stream: Readable, isFlowing: boolean): void {
  if (isFlowing && stream.isPaused()) stream.resume()
  else if (!isFlowing && !stream.isPaused()) stream.pause()
}
