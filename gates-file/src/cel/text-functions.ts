const LOCAL = /[\p{L}\p{N}._%+-]+/gu
const DOMAIN = /@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,63}/yu
const MAX_LOCAL = 64
const LINK = /(?:https?:\/\/|www\.)[^\s<>"'`{}|\\^[\]()]{1,2048}|(?<![\p{L}\p{N}@.-])(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,63}(?:\/[^\s<>"'`{}|\\^[\]()]{0,2048})?/giu
// In groups of four only in capitals: a word of four letters that follows would look like one.
const IBAN = /(?<![A-Za-z0-9])(?:[A-Za-z]{2}\d{2}[A-Za-z0-9]{11,30}|[A-Z]{2}\d{2}(?: [A-Z0-9]{4}){2,7}(?: [A-Z0-9]{1,3})?)(?![A-Za-z0-9])/gu
const WHOLE_MAIL = /^[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,63}$/u
const WHOLE_LINK = new RegExp(`^(?:${LINK.source})$`, 'iu')
const WHOLE_IBAN = new RegExp(`^(?:${IBAN.source})$`, 'u')
const WORD = /[\p{L}\p{N}\p{M}_]+(?:['’-][\p{L}\p{N}\p{M}_]+)*/gu
const NUMBER = /(?<![\p{L}\p{N}_.])-?\d{1,15}(?:\.\d{1,15})?(?![\p{L}\p{N}_]|\.\d)/gu
const TRAILING = ".,;:!?'*_"

/** The mail addresses in a text, case-folded, each once, in order. */
export function emails(text: string): readonly string[] {
  const found = new Set<string>()
  // In two patterns: one would try each place of a long run of letters that no `@` follows.
  const local = new RegExp(LOCAL)
  const domain = new RegExp(DOMAIN)
  for (let run = local.exec(text); run !== null; run = local.exec(text)) {
    domain.lastIndex = local.lastIndex
    const rest = domain.exec(text)
    if (rest === null) continue
    found.add(`${Array.from(run[0].slice(-2 * MAX_LOCAL)).slice(-MAX_LOCAL).join('')}${rest[0]}`.toLowerCase())
    local.lastIndex = domain.lastIndex
  }
  return [...found]
}

/** The mail address that a text is, case-folded; undefined for any other text, and for an address with something beside it. */
export function email(text: string): string | undefined {
  const bare = text.trim()
  return WHOLE_MAIL.test(bare) ? bare.toLowerCase() : undefined
}

/** The links in a text, as `normalLink` writes them, each once, in order. */
export function links(text: string): readonly string[] {
  return unique([...text.matchAll(LINK)].map(([link]) => normalLink(withoutTrailing(link, TRAILING))))
}

/** The link that a text is, as `normalLink` writes it; undefined for any other text, and for a link with a sign behind it. */
export function link(text: string): string | undefined {
  const bare = text.trim()
  return WHOLE_LINK.test(bare) && withoutTrailing(bare, TRAILING) === bare ? normalLink(bare) : undefined
}

/** The account numbers of the form of an IBAN in a text: capitals, without spaces; the checksum is not asked. */
export function ibans(text: string): readonly string[] {
  return unique([...text.matchAll(IBAN)].flatMap(([found]) => normalIban(found) ?? []))
}

/** The account number that a text is, as `ibans` writes it; undefined for any other text. */
export function iban(text: string): string | undefined {
  const bare = text.trim()
  return WHOLE_IBAN.test(bare) ? normalIban(bare) : undefined
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
  return withoutTrailing(`${host}${end === -1 ? '' : bare.slice(end)}`, '/')
}

function normalIban(found: string): string | undefined {
  const bare = found.replaceAll(' ', '').toUpperCase()
  return bare.length >= 15 && bare.length <= 34 ? bare : undefined
}

// Not by a pattern: one that ends in `$` is tried at each of many signs that are not the last.
function withoutTrailing(text: string, signs: string): string {
  let end = text.length
  while (end > 0 && signs.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

function unique(items: readonly string[]): readonly string[] {
  return [...new Set(items)]
}
