import { compileGates, markable } from './compile-gates.ts'
import type { CompiledGates } from './compile-gates.ts'
import type { GateRule, GateRules } from './gate-rule.ts'
import { judgeGates } from './judge-gates.ts'

/** The founding interface: the gates of one session, in memory, for hosts that mark and check by hand. */
export class GateManager {
  readonly #gates: CompiledGates
  readonly #marked = new Set<string>()
  readonly #tracked = new Map<string, unknown>()

  /** Throws `invalid_rules` or `reserved_gate`. */
  constructor(gates: GateRules | readonly GateRule[]) {
    this.#gates = compileGates(gates)
  }

  /** The rules as they were read, frozen. */
  get rules(): GateRules {
    return this.#gates.source
  }

  /** The message that the model gets back instead of running `tool`, or null where it may run; a `confirm` comes last. */
  check(tool: string): string | null {
    const isMarked = (gate: string): boolean => this.#marked.has(gate)
    const { unmet, confirms } = judgeGates(this.#gates, tool, { isMarked, isConditionLive: isMarked })
    return (unmet[0] ?? confirms[0])?.message ?? null
  }

  /** Marks a gate; throws `reserved_gate` for `confirm`, which only a person answers. */
  mark(gate: string): void {
    this.#marked.add(markable(gate, 'mark'))
  }

  isMarked(gate: string): boolean {
    return this.#marked.has(gate)
  }

  /** A snapshot of what is marked, in the order of marking. */
  get markedGates(): ReadonlySet<string> {
    return new Set(this.#marked)
  }

  /** Keeps a value of the host's own under `key`, for this session. */
  track(key: string, value: unknown): void {
    this.#tracked.set(key, value)
  }

  /** The value kept under `key`, or `fallback` where none was. */
  getTracked(key: string, fallback?: unknown): unknown {
    return this.#tracked.has(key) ? this.#tracked.get(key) : fallback
  }

  /** Clears all marks and all tracked values (contract 9). */
  reset(): void {
    this.#marked.clear()
    this.#tracked.clear()
  }
}
