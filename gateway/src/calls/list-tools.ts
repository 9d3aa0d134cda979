import type { Clock } from '@callgate/core'
import { decodeString, memberOf, scanJson } from '@callgate/core/wire'
import type { OwnAnswer, OwnRequests } from './own-requests.ts'
import { readListing } from './read-listing.ts'
import { MAX_PAGES } from './tool-catalogue.ts'
import type { ToolCatalogue } from './tool-catalogue.ts'

/** Whom to ask, for how long in all (milliseconds), and who learns. */
export type ListingTools = {
  readonly own: OwnRequests
  readonly catalogue: ToolCatalogue
  readonly clock: Clock
  readonly timeoutMs: number
}

/**
 * Asks the server for its tools, page by page, with the text of a modern client's `_meta`. Resolves with why there is
 * no complete listing, as a clause; undefined where the catalogue has learnt one.
 */
export async function listTools(
  { own, catalogue, clock, timeoutMs }: ListingTools,
  meta: string | undefined,
): Promise<string | undefined> {
  const deadline = clock.now() + timeoutMs
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await own.ask('tools/list', listParams(cursor, meta), deadline - clock.now())
    if (answer === undefined) return `the server did not answer tools/list within ${timeoutMs} ms`
    const listing = readListing(answer)
    if (listing === undefined) return `the server answered tools/list with ${errorText(answer)}`
    catalogue.learn(cursor, listing)
    cursor = listing.nextCursor
    if (cursor === undefined) return undefined
  }
  return `the server's tools/list has more than ${MAX_PAGES} pages`
}

function listParams(cursor: string | undefined, meta: string | undefined): string {
  const members = [
    ...(cursor === undefined ? [] : [`"cursor":${JSON.stringify(cursor)}`]),
    ...(meta === undefined ? [] : [`"_meta":${meta}`]),
  ]
  return `{${members.join(',')}}`
}

const MAX_ERROR_TEXT = 300

function errorText({ text, root, isLossy }: OwnAnswer): string {
  if (isLossy === true) return 'bytes that are not UTF-8'
  const error = memberOf(root, 'error')
  if (error === undefined) return 'something that is no list of tools'
  const message = memberOf(scanJson(text.slice(error.start, error.end), 1), 'message')
  const said = message?.kind === 'string' ? decodeString(text.slice(error.start, error.end), message) : 'no message'
  return `an error: ${said.length > MAX_ERROR_TEXT ? `${said.slice(0, MAX_ERROR_TEXT)}…` : said}`
}
