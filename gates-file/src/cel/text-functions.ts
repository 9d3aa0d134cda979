const MAIL = /[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,63}/gu
const LINK = /(?:https?:\/\/|www\.)[^\s<>"'`{}|\\^[\]()]{1,2048}|(?<![\p{L}\p{N}@.-])(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,63}(?:\/[^\s<>"'`{}|\\^[\]()]{0,2048})?/giu
// In groups of four only in capitals: a word of four letters that follows would look like one.
const IBAN = /(?<![A-Za-z0-9])(?:[A-Za-z]{2}\d{2}[A-Za-z0-9]{11,30}|[A-Z]{2}\d{2}(?: [A-Z0-9]{4}){2,7}(?: [A-Z0-9]{1,3})?)(?![A-Za-z0-9])/gu
const WORD = /[\p{L}\p{N}\p{M}_]+(?:['’-][\p{L}\p{N}\p{M}_]+)*/gu
const NUMBER = /(?<![\p{L}\p{N}_.])-?\d{1,15}(?:\.\d{1,15})?(?![\p{L}\p{N}_]|\.\d)/gu
const TRAILING = /[.,;:!?'*_]+$/u

/** The mail addresses in a text, case-folded, each once, in order. */
export function emails(text: string): readonly string[] {
  return unique([...text.matchAll(MAIL)].map(([mail]) => mail.replace(TRAILING, '').toLowerCase()))
}

/** The links in a text, as `normalLink` writes them, each once, in order. */
export function links(text: string): readonly string[] {
  return unique([...text.matchAll(LINK)].map(([link]) => normalLink(link.replace(TRAILING, ''))))
}

/** The account numbers of the form of an IBAN in a text: capitals, without spaces; the checksum is not asked. */
export function ibans(text: string): readonly string[] {
  return unique([...text.matchAll(IBAN)].flatMap(([found]) => {
    const iban = found.replaceAll(' ', '').toUpperCase()
    return iban.length >= 15 && iban.length <= 34 ? [iban] : []
  }))
}

/** The words of a text in small letters, each once, in order. */
export function words(text: string): readonly string[] {
  return unique([...text.matchAll(WORD)].map(([word]) => word.toLowerCase()))
}

/** The decimal numbers of a text that stand by themselves, each once, in order. */
export function numbers(text: string): readonly number[] {
  return [...new Set([...text.matchAll(NUMBER)].map(([digits]) => Number(digits) + 0))]
}

/** A path without `.`, `..` and doubled slashes, by its text alone: no link of the disk is followed. */
export function path(text: string): string {
  const isAbsolute = text.startsWith('/')
  const parts: string[] = []
  for (const part of text.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (!isAbsolute) parts.push(part)
  }
  return `${isAbsolute ? '/' : ''}${parts.join('/')}` || '.'
}

/** A link without scheme, `www.`, fragment of nothing and trailing slash; its host in small letters, the rest as it is. */
function normalLink(link: string): string {
  const bare = link.replace(/^https?:\/\//iu, '').replace(/^www\./iu, '')
  const end = bare.search(/[/?#]/u)
  const host = (end === -1 ? bare : bare.slice(0, end)).toLowerCase()
  return `${host}${end === -1 ? '' : bare.slice(end)}`.replace(/\/+$/u, '')
}

function unique(items: readonly string[]): readonly string[] {
  return [...new Set(items)]
}
