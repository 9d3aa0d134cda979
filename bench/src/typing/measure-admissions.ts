import { isDeepStrictEqual } from 'node:util'
import { Candidate, sha256Hex } from '@callgate/core'
import { createInputs } from './inputs.ts'
import type { InputKind, TypingInput } from './inputs.ts'
import type { Reader, TypingEntrant } from './peers.ts'

/** Microseconds of one operation in each round; the same place of two lists is the same round. */
export type Series = { readonly name: string; readonly micros: readonly number[] }

const ROUNDS = 15
const ROUND_MS = 40
const DIGESTS = 4_096

/** Times every entrant on the same arguments, in turns, once all have given the wanted answers; throws where one has not. */
export function measureAdmissions(entrants: readonly TypingEntrant[], kind: InputKind, progress: (text: string) => void): readonly Series[] {
  const inputs = createInputs(kind)
  const readers = entrants.map((entrant) => ({ name: entrant.name, read: entrant.readerOf(kind) }))
  for (const { name, read } of readers) agree(name, read, inputs)
  const series = readers.map(({ name, read }) => ({ name, read, micros: [] as number[] }))
  for (const { read } of series) timeReader(read, inputs, 5 * ROUND_MS)
  for (let round = 1; round <= ROUNDS; round += 1) {
    progress(`${kind} arguments, round ${round} of ${ROUNDS}`)
    for (const one of series) one.micros.push(timeReader(one.read, inputs, ROUND_MS))
  }
  return series.map(({ name, micros }) => ({ name, micros }))
}

/** Times a digest of the arguments beside JSON.stringify and SHA-256 of the same text; each comes first on half of them. */
export function measureDigests(): readonly Series[] {
  const ours: number[] = []
  const bare: number[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    const inputs = createInputs('valid')
    // A digest is computed once a candidate: each is read once.
    const candidates = Array.from({ length: DIGESTS }, (_, at) => Candidate.ofArguments(inputs[at % inputs.length]?.sent))
    // What comes second finds the values in the processor's cache.
    const [half, other] = [candidates.slice(0, DIGESTS / 2), candidates.slice(DIGESTS / 2)]
    const [oursFirst, bareSecond] = [timeDigests(half, ownDigest), timeDigests(half, bareDigest)]
    const [bareFirst, oursSecond] = [timeDigests(other, bareDigest), timeDigests(other, ownDigest)]
    // The first round warms up.
    if (round === 0) continue
    ours.push(((oursFirst + oursSecond) * 1_000) / DIGESTS)
    bare.push(((bareFirst + bareSecond) * 1_000) / DIGESTS)
  }
  return [{ name: 'callgate, digest', micros: ours }, { name: 'JSON.stringify and SHA-256', micros: bare }]
}

function ownDigest(candidate: Candidate): string {
  return candidate.digest
}

function bareDigest(candidate: Candidate): string {
  return sha256Hex(JSON.stringify(candidate.fields))
}

function timeDigests(candidates: readonly Candidate[], digest: (candidate: Candidate) => string): number {
  const start = performance.now()
  let length = 0
  for (const candidate of candidates) length += digest(candidate).length
  const elapsed = performance.now() - start
  if (length !== 64 * candidates.length) throw new Error('a digest is 64 digits')
  return elapsed
}

function agree(name: string, read: Reader, inputs: readonly TypingInput[]): void {
  for (const { sent, wanted } of inputs) {
    const got = { ...(read(sent) as object) }
    if (!isDeepStrictEqual(got, { ...wanted })) throw new Error(`${name} reads ${JSON.stringify(sent)} as ${JSON.stringify(got)}`)
  }
}

function timeReader(read: Reader, inputs: readonly TypingInput[], leastMs: number): number {
  const start = performance.now()
  let calls = 0
  let answered = 0
  let elapsed = 0
  do {
    for (const { sent } of inputs) if (read(sent) !== undefined) answered += 1
    calls += inputs.length
    elapsed = performance.now() - start
  } while (elapsed < leastMs)
  if (answered !== calls) throw new Error('a call was not answered')
  return (elapsed * 1_000) / calls
}
