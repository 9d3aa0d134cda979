import { canonicalJson } from '../model/canonical.ts'
import type { JsonObject, JsonValue } from '../model/json-value.ts'
import type { Expression, ExpressionInput } from './expression.ts'
import type { GateRule, GateRules, MarkRule, ToolAnnotations, ToolSelector } from './gate-rule.ts'

/** A call and all that is known about it. */
export type NaiveCall = {
  readonly tool: string
  readonly args: JsonObject
  readonly annotations: ToolAnnotations
  readonly isListed: boolean
  readonly fault?: string
}

type NaiveMark = { gate: string; key: string | null; fact?: string; at: number; deadAt: number; uses: number }

/** What the interpreter says: the verdict, and the rules behind it by their place in the file (-1: `default`). */
export type NaiveVerdict = { verdict: 'refuse' | 'hold' | 'run'; unmet: number[]; holds: number[]; confirms: number[] }

const FAULT = Symbol('fault')

/**
 * The rules of one session, read straight from contract 9: every rule is looked at for every call, a pattern is a regular
 * expression, limits are counted over the whole history. Slow, and sharing nothing with the compiled judge.
 */
export class NaiveGates {
  readonly rules: GateRules
  marks: NaiveMark[] = []
  history: { tool: string; args: JsonObject; at: number }[] = []
  row: { call: string; count: number } = { call: '', count: 0 }

  constructor(rules: GateRules) {
    this.rules = rules
  }

  /** Judges a call, and where it runs takes what it uses, clears and charges. */
  call(call: NaiveCall, at: number): NaiveVerdict {
    const judged = this.judge(call, at)
    if (judged.verdict !== 'run') return judged
    if (this.isOverLimit(call, at)) return { ...judged, verdict: 'refuse' }
    const text = canonicalJson([call.tool, call.args])
    this.row = { call: text, count: this.row.call === text ? this.row.count + 1 : 1 }
    this.history.push({ tool: call.tool, args: call.args, at })
    const used = new Set(this.about(call).flatMap(({ rule }) => this.servedBy(rule, call, at)))
    for (const mark of used) mark.uses -= 1
    for (const clear of this.clearsOf(call)) {
      const keys = clear.keys && this.keysOf(clear.keys, { args: call.args })
      const isKept = (key: string | null): boolean => keys !== undefined && !keys.includes(null) && !keys.includes(key)
      this.marks = this.marks.filter(({ gate, key }) => gate !== clear.gate || isKept(key))
    }
    return judged
  }

  judge(call: NaiveCall, at: number): NaiveVerdict {
    const unmet: number[] = []
    const holds: number[] = []
    const confirms: number[] = []
    for (const { rule, place } of this.about(call)) {
      if (rule.condition !== undefined && this.alive(rule.condition, at).length === 0) continue
      const state = this.stateOf(rule, call, at)
      if (state === 'elsewhere' || state === 'met') continue
      if (state === 'asks') confirms.push(place)
      else (state === 'unmet' && rule.otherwise === 'hold' ? holds : unmet).push(place)
    }
    const { allow, deny = [], unlisted = 'refuse' } = this.rules
    const isNamed = this.about(call).length > 0 || allow?.some((name) => isNamedBy(name, call.tool)) === true
    const isOutside = allow !== undefined && !allow.some((name) => isNamedBy(name, call.tool))
    const isForbidden = isOutside || deny.some((name) => isNamedBy(name, call.tool))
    const fallback = isNamed || isForbidden ? 'allow' : (this.rules.default ?? 'allow')
    if (fallback === 'confirm') confirms.push(-1)
    const isBlocked = isForbidden || (!call.isListed && unlisted === 'refuse') || fallback === 'refuse'
    const isRefused = isBlocked || unmet.length > 0 || this.isUnjudgeable(call)
    return { verdict: isRefused ? 'refuse' : holds.length + confirms.length > 0 ? 'hold' : 'run', unmet, holds, confirms }
  }

  /** The call succeeded with this result: false where a `failedWhen` says that it did not. */
  succeed(call: NaiveCall, result: JsonObject, at: number): boolean {
    const about = (this.rules.marks ?? []).filter(({ from, tools = [] }) => from !== 'user' && tools.some((name) => isNamedBy(name, call.tool)))
    const input = { args: call.args, result: { ...result, text: '' } }
    const failed = about.some(({ failedWhen }) => failedWhen !== undefined && this.value(failedWhen, input) !== false)
    if (failed) return false
    for (const rule of about) if (rule.clear !== true) this.mark(rule, input, at)
    return true
  }

  say(text: string, at: number): void {
    for (const rule of this.rules.marks ?? []) if (rule.from === 'user') this.mark(rule, { text }, at)
  }

  private mark(rule: MarkRule, input: ExpressionInput, at: number): void {
    const keys = rule.keys === undefined ? undefined : this.keysOf(rule.keys, input)
    const kept = rule.keep === undefined ? undefined : this.value(rule.keep, input)
    if (rule.keys !== undefined && (keys === undefined || this.value(rule.keys, input) === undefined)) return
    if (kept === FAULT || (rule.keep !== undefined && kept === undefined)) return
    if (Array.isArray(kept) && kept.length !== keys?.length) return
    for (const [place, key] of (keys ?? ['keyless']).entries()) {
      if (key === null) continue
      const name = keys === undefined ? null : key
      const value = (Array.isArray(kept) ? (kept as JsonValue[])[place] : kept) as JsonValue | undefined
      const before = this.marks.find((mark) => mark.gate === rule.gate && mark.key === name)
      const fact = value === undefined ? {} : { fact: canonicalJson(value) }
      if (before === undefined || before.fact !== fact.fact || !this.alive(rule.gate, at).includes(before)) this.row = { call: '', count: 0 }
      this.marks = this.marks.filter((mark) => mark !== before)
      this.marks.push({ gate: rule.gate, key: name, ...fact, at, deadAt: at + (rule.expiresMs ?? Infinity), uses: rule.uses ?? Infinity })
    }
  }

  private alive(gate: string, at: number): NaiveMark[] {
    return this.marks
      .filter((mark) => mark.gate === gate && at < mark.deadAt && mark.uses > 0)
      .sort((a, b) => a.at - b.at || ((a.key ?? '') < (b.key ?? '') ? -1 : 1))
  }

  private about(call: NaiveCall): { rule: GateRule; place: number }[] {
    return this.rules.rules.map((rule, place) => ({ rule, place })).filter(({ rule }) => isAbout(rule, call))
  }

  private stateOf(rule: GateRule, call: NaiveCall, at: number): 'elsewhere' | 'met' | 'unmet' | 'asks' | 'fault' {
    const looks = rule.key !== undefined || rule.require !== undefined || rule.when !== undefined
    if (looks && call.fault !== undefined) return 'fault'
    const when = rule.when === undefined ? true : this.value(rule.when, { args: call.args })
    if (when === false) return 'elsewhere'
    if (when !== true) return 'fault'
    if (rule.gate === 'confirm') return 'asks'
    if (rule.key === undefined) {
      if (rule.require === undefined) return this.alive(rule.gate, at).length > 0 ? 'met' : 'unmet'
      for (const mark of this.alive(rule.gate, at)) {
        const answer = this.factAnswer(rule.require, mark, call)
        if (answer !== 'unmet') return answer
      }
      return 'unmet'
    }
    const keys = this.keysOf(rule.key, { args: call.args })
    if (keys === undefined) return 'fault'
    if (keys.length === 0 || keys.includes(null)) return 'unmet'
    for (const key of keys) {
      const mark = this.alive(rule.gate, at).find((each) => each.key === key)
      const answer = mark === undefined ? 'unmet' : rule.require === undefined ? 'met' : this.factAnswer(rule.require, mark, call)
      if (answer !== 'met') return answer
    }
    return 'met'
  }

  private factAnswer(require: Expression, { fact }: NaiveMark, { args }: NaiveCall): 'met' | 'unmet' | 'fault' {
    if (fact === undefined) return 'unmet'
    const answer = this.value(require, { args, fact: JSON.parse(fact) as JsonValue })
    return answer === true ? 'met' : answer === false ? 'unmet' : 'fault'
  }

  /** The marks that a met rule rests on. */
  private servedBy(rule: GateRule, call: NaiveCall, at: number): NaiveMark[] {
    const isLive = rule.condition === undefined || this.alive(rule.condition, at).length > 0
    if (!isLive || this.stateOf(rule, call, at) !== 'met') return []
    const alive = this.alive(rule.gate, at)
    const keys = rule.key && this.keysOf(rule.key, { args: call.args })
    if (keys !== undefined) return alive.filter(({ key }) => keys.includes(key))
    const { require } = rule
    return alive.filter((mark) => require === undefined || this.factAnswer(require, mark, call) === 'met').slice(0, 1)
  }

  private clearsOf(call: NaiveCall): MarkRule[] {
    return (this.rules.marks ?? []).filter(({ clear, tools = [] }) => clear === true && tools.some((name) => isNamedBy(name, call.tool)))
  }

  /** A sum or a clear that cannot be judged refuses. */
  private isUnjudgeable(call: NaiveCall): boolean {
    const sums = (this.rules.limits ?? []).filter((limit) => limit.sum !== undefined && isAbout(limit, call))
    const clears = this.clearsOf(call).filter(({ keys }) => keys !== undefined)
    if (call.fault !== undefined) return sums.length + clears.length > 0
    return sums.some(({ sum }) => !isAmount(this.value(sum as Expression, { args: call.args })))
      || clears.some(({ keys }) => this.keysOf(keys as Expression, { args: call.args }) === undefined)
  }

  private isOverLimit(call: NaiveCall, at: number): boolean {
    return (this.rules.limits ?? []).filter((limit) => isAbout(limit, call)).some((limit) => {
      const { calls, sum, max = 0, perMs = Infinity, repeats = Infinity } = limit
      const past = this.history.filter((each) => each.at > at - perMs && isAbout(limit, { ...call, tool: each.tool }))
      const spent = sum === undefined ? 0 : [...past, call].reduce((total, { args }) => total + Number(this.value(sum, { args })), 0)
      const row = this.row.call === canonicalJson([call.tool, call.args]) ? this.row.count : 0
      return past.length + 1 > (calls ?? Infinity) || spent > (sum === undefined ? 0 : max) || row + 1 > repeats
    })
  }

  private value(expression: Expression, input: ExpressionInput): unknown {
    try {
      return expression.evaluate(input)
    } catch {
      return FAULT
    }
  }

  /** null is a missing value; undefined says that there are no keys to be had at all. */
  private keysOf(expression: Expression, input: ExpressionInput): (string | null)[] | undefined {
    const value = this.value(expression, input)
    if (value === FAULT) return undefined
    const items = (Array.isArray(value) ? value : [value]) as (JsonValue | undefined)[]
    return items.map((each) => (each === null || each === undefined ? null : canonicalJson(each)))
  }
}

function isAbout({ tools, annotations, unannotated }: ToolSelector, call: NaiveCall): boolean {
  if (tools !== undefined && !tools.some((name) => isNamedBy(name, call.tool))) return false
  return Object.entries(annotations ?? {}).every(([hint, wanted]) => {
    const said = call.annotations[hint as keyof ToolAnnotations]
    return said === undefined ? unannotated === true : said === wanted
  })
}

function isNamedBy(pattern: string, tool: string): boolean {
  const literal = pattern.replace(/[^*]/gu, (letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`)
  return new RegExp(`^${literal.replaceAll('*', '[^]*')}$`, 'u').test(tool)
}

function isAmount(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
