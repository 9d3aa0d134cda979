import type { ReplayedCall, ReplayEvent } from './replay.ts'
import { createReplayTally } from './replay-tally.ts'
import type { ReplaySummary, RuleTally } from './replay-tally.ts'

/** Collects a replay for one self-contained page. */
export type HtmlReport = { add(event: ReplayEvent): void; page(title: string): string }

type Finding = { readonly call: ReplayedCall; readonly before: readonly ReplayedCall[]; readonly skipped: number }

const MAX_FINDINGS = 1_000
const MAX_BEFORE = 20
const MAX_SHOWN = 600

/** Makes a report: counts, a bar a rule, and the first 1,000 calls that were stopped, each with the 20 calls before it in its trace. */
export function createHtmlReport(): HtmlReport {
  const tally = createReplayTally()
  const findings: Finding[] = []
  const traces = new Map<string, ReplayedCall[]>()
  let stopped = 0
  return {
    add(event) {
      tally.add(event)
      if (event.kind === 'end') return void traces.delete(event.trace)
      const call = shortened(event.call)
      const before = traces.get(call.trace) ?? []
      traces.set(call.trace, before)
      if (call.verdict === 'refused' || call.verdict === 'held') {
        stopped += 1
        if (findings.length < MAX_FINDINGS) findings.push({ call, before: before.slice(-MAX_BEFORE), skipped: call.call - Math.min(before.length, MAX_BEFORE) })
      }
      before.push(call)
      if (before.length > MAX_BEFORE) before.shift()
    },
    page: (title) => pageOf(title, tally.summary(), findings, stopped),
  }
}

/** What is kept of a call; a copy, since a part of a text would keep the whole text alive. */
function shortened({ args, message, ...call }: ReplayedCall): ReplayedCall {
  return { ...call, args: shortText(args), ...(message !== undefined && { message: shortText(message) }) }
}

function shortText(text: string): string {
  return text.length <= MAX_SHOWN ? text : `${Array.from(text.slice(0, MAX_SHOWN)).join('')}…`
}

function pageOf(title: string, summary: ReplaySummary, findings: readonly Finding[], stopped: number): string {
  const cards = (['traces', 'calls', 'ran', 'repaired', 'refused', 'held'] as const).map((name) => `<div class="card"><b>${summary[name]}</b>${name}</div>`)
  const most = Math.max(1, ...summary.byRule.map(({ refused, held }) => refused + held))
  const left = stopped > findings.length ? `<p>The first ${findings.length} of ${stopped} are shown.</p>` : ''
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escape(title)}</h1>
<div class="cards">${cards.join('')}</div>
<h2>By rule</h2>
${summary.byRule.length === 0 ? '<p>No rule stopped a call.</p>' : `<table>${summary.byRule.map((rule) => barOf(rule, most)).join('\n')}</table>`}
<h2>Stopped calls</h2>
${left}
${findings.length === 0 ? '<p>None.</p>' : findings.map(findingOf).join('\n')}
</body>
</html>
`
}

function barOf({ rule, line, refused, held }: RuleTally, most: number): string {
  const width = (count: number): string => `${((100 * count) / most).toFixed(2)}%`
  const at = line === undefined ? '' : ` <small>line ${line}</small>`
  return `<tr><th scope="row">${escape(rule)}${at}</th><td class="bar" aria-hidden="true"><span class="refused" style="width:${width(refused)}"></span><span class="held" style="width:${width(held)}"></span></td><td>${refused} refused</td><td>${held} held</td></tr>`
}

function findingOf({ call, before, skipped }: Finding): string {
  const rule = call.rule === undefined ? '' : ` by ${escape(call.rule)}${call.line === undefined ? '' : `, line ${call.line}`}`
  const more = skipped > 0 ? `<li>${skipped} calls before</li>` : ''
  const steps = before.map((step) => `<li><span class="${step.verdict}">${step.verdict}</span> <code>${escape(step.tool)}</code> ${shown(step.args)}</li>`)
  return `<details><summary><span class="${call.verdict}">${call.verdict}</span> <code>${escape(call.tool)}</code>${rule} <small>${escape(call.trace)}, call ${call.call}</small></summary>
<p>${shown(call.args)}</p>${call.message === undefined ? '' : `<p class="message">${escape(call.message)}</p>`}<ol>${more}${steps.join('')}</ol></details>`
}

function shown(text: string): string {
  return `<code>${escape(text)}</code>`
}

/** Text as text: markup and what nobody sees is written out. */
function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu, (hidden) => (hidden === '\n' ? hidden : `\\u{${(hidden.codePointAt(0) ?? 0).toString(16)}}`))
}

const STYLE = `:root{color-scheme:light dark;--line:#8884;--refused:#c2413b;--held:#b7791f;--ran:#2f855a}
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem}
.cards{display:flex;flex-wrap:wrap;gap:.75rem}.card{border:1px solid var(--line);border-radius:.5rem;padding:.5rem 1rem;min-width:5rem}
.card b{display:block;font-size:1.5rem}table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.25rem .5rem;border-bottom:1px solid var(--line)}
.bar{width:50%}.bar span{display:inline-block;height:.9rem;vertical-align:middle}.bar .refused{background:var(--refused)}.bar .held{background:var(--held)}
details{border:1px solid var(--line);border-radius:.5rem;margin:.5rem 0;padding:.25rem .75rem}summary{cursor:pointer}
summary .refused,li .refused{color:var(--refused)}summary .held,li .held{color:var(--held)}li .ran,li .repaired{color:var(--ran)}.message{white-space:pre-wrap}
code{font:13px ui-monospace,monospace;overflow-wrap:anywhere;white-space:pre-wrap}small{opacity:.7}`
