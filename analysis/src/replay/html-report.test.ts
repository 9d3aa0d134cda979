import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createHtmlReport } from './html-report.ts'
import type { ReplayedCall } from './replay.ts'

const call = (at: number, verdict: ReplayedCall['verdict'], more: Partial<ReplayedCall> = {}): ReplayedCall => ({ trace: 'a', call: at, tool: 'pay', args: `{"n":${at}}`, verdict, ...more })

function pageOf(calls: readonly ReplayedCall[], title = 'replay'): string {
  const report = createHtmlReport()
  for (const one of calls) report.add({ kind: 'call', call: one })
  return report.page(title)
}

const VOID = new Set(['meta', 'br', 'hr', 'img', 'input', 'link'])
const KNOWN = new Set(['!doctype', 'html', 'head', 'meta', 'title', 'style', 'body', 'h1', 'h2', 'div', 'b', 'p', 'table', 'tr', 'th', 'td', 'small', 'span', 'details', 'summary', 'code', 'ol', 'li'])

/** Reads the page strictly: each element known and closed in order; returns its text, in which no markup is left. */
function readStrictly(page: string): { readonly text: string; readonly elements: readonly string[] } {
  const open: string[] = []
  const elements: string[] = []
  const text = page.replaceAll(/<(\/?)([a-z0-9!]+)((?:\s+[a-z-]+(?:="[^"<>]*")?)*)\s*>/gi, (_, slash: string, tag: string) => {
    const name = tag.toLowerCase()
    if (!KNOWN.has(name)) throw new Error(`<${name}> is no element of the page`)
    if (slash !== '') {
      if (open.pop() !== name) throw new Error(`</${name}> closes something else`)
    } else {
      elements.push(name)
      if (!VOID.has(name) && name !== '!doctype') open.push(name)
    }
    return ''
  })
  expect(open).toEqual([])
  expect(text).not.toMatch(/[<>]/)
  return { text, elements }
}

test('the page has the counts, a bar a rule, and each stopped call with the calls before it in its trace', () => {
  const calls = [call(0, 'ran', { tool: 'find' }), call(1, 'refused', { rule: 'listed', line: 3, message: 'List first.' }), call(2, 'repaired'), call(3, 'held', { rule: 'confirm', line: 9 })]
  const page = pageOf([...calls, call(0, 'ran', { trace: 'b' })], 'What gates.yml does')
  const { text, elements } = readStrictly(page)
  expect(page).toContain('<title>What gates.yml does</title>')
  expect(page).toContain('<div class="card"><b>5</b>calls</div>')
  for (const words of ['2ran', '1repaired', '1refused', '1held', 'listed line 3', 'List first.', 'a, call 3']) expect(text).toContain(words)
  expect(elements.filter((name) => name === 'details').length).toBe(2)
  const [refused = '', held = ''] = page.split('<details>').slice(1)
  expect([refused.match(/<li>/g)?.length, held.match(/<li>/g)?.length]).toEqual([1, 3])
  expect(refused).toContain('find')
})

test('bars are as long as what their rule stopped, beside the one that stopped the most', () => {
  const page = pageOf([call(0, 'refused', { rule: 'x' }), call(1, 'held', { rule: 'x' }), call(2, 'refused', { rule: 'y' })])
  expect([...page.matchAll(/style="width:([\d.]+)%/g)].map(([, width]) => width)).toEqual(['50.00', '50.00', '50.00', '0.00'])
})

test('the page loads nothing: no script, no address, and a policy that says so', () => {
  const page = pageOf([call(0, 'refused', { rule: 'x' })])
  expect(page).toContain(`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`)
  expect(page).not.toMatch(/<script|src=|href=|url\(|@import|https?:/i)
  expect(page).toContain('color-scheme:light dark')
})

test('nothing that was recorded is markup, whatever it is', () => {
  const odd = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '</code></details>', '<!--', "' onload='x", '\u202egnp.exe', '\ud800'))
  fc.assert(fc.property(odd, odd, odd, odd, odd, (tool, rule, args, trace, message) => {
    const page = pageOf([call(0, 'ran', { tool, trace, args }), call(1, 'refused', { tool, rule, args, trace, message })], rule)
    readStrictly(page)
    expect(page).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
    expect(page.replaceAll('\n', '')).not.toMatch(/\p{Cc}|\p{Cf}|\p{Cs}/u)
    expect(page.isWellFormed()).toBe(true)
  }), { numRuns: 300 })
})

test('the first 1,000 stopped calls are shown, each with at most 20 before it, and that is said', () => {
  const page = pageOf(Array.from({ length: 1_005 }, (_, at) => call(at, 'refused', { rule: 'x' })))
  const { elements } = readStrictly(page)
  expect(elements.filter((name) => name === 'details').length).toBe(1_000)
  expect(page).toContain('The first 1000 of 1005 are shown.')
  expect(page.split('<details>').at(-1)?.match(/<li>/g)?.length).toBe(21)
  expect(page).toContain('<li>979 calls before</li>')
})

test('long arguments are cut and the cut is shown', () => {
  const page = pageOf([call(0, 'refused', { rule: 'x', args: 'x'.repeat(100_000) })])
  expect(page.length).toBeLessThan(10_000)
  expect(page).toContain(`${'x'.repeat(600)}…`)
})

test('a replay that stopped nothing says so', () => {
  const page = pageOf([call(0, 'ran')])
  readStrictly(page)
  expect(page).toContain('No rule stopped a call.')
})
