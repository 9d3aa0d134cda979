import { compileGates } from './compile-gates.ts'
import type { CompiledGates } from './compile-gates.ts'
import { createGateBits } from './gate-bits.ts'
import type { GateBits, MarkedBits } from './gate-bits.ts'
import { CONFIRM_GATE } from './gate-rule.ts'
import type { GateRule, GateRules } from './gate-rule.ts'
import { markable } from './read-item.ts'

/**
 * The founding interface: the gates of one session, in memory, for hosts that mark and check by hand. It sees names only: a
 * rule counts for every call of its tools whatever the arguments, and is met when its gate is marked. Expiry, uses, keys,
 * facts, limits and what a server says of its tools are for a gatekeeper.
 */
export class GateManager {
  readonly #gates: CompiledGates
  readonly #bits: GateBits
  readonly #marked = new Set<string>()
  readonly #tracked = new Map<string, unknown>()
  #markedBits: MarkedBits

  /** Throws `invalid_rules` or `reserved_gate`. */
  constructor(gates: GateRules | readonly GateRule[]) {
    this.#gates = compileGates(gates)
    this.#bits = createGateBits(this.#gates)
    this.#markedBits = this.#bits.createMarked()
  }

  /** The rules as they were read, frozen. */
  get rules(): GateRules {
    return this.#gates.source
  }

  /**
   * The message that the model gets back instead of running `tool`, or null where it may run: of the first unmet rule that
   * refuses, then of the first that holds, then of the first `confirm`.
   */
  check(tool: string): string | null {
    if (this.#bits.isClear(tool, this.#markedBits)) return null
    const { rules, standing } = this.#gates.termsOf(tool)
    if (standing === 'denied' || standing === 'outside') return `The rules forbid the tool "${tool}". Nothing was executed.`
    const otherwise = standing === 'unnamed' ? this.#gates.source.default : undefined
    if (otherwise === 'refuse') return `No rule allows the tool "${tool}". Nothing was executed.`
    const open = rules.map(({ rule }) => rule).filter(({ gate, condition }) =>
      (condition === undefined || this.#marked.has(condition)) && (gate === CONFIRM_GATE || !this.#marked.has(gate)))
    const unmet = open.filter(({ gate }) => gate !== CONFIRM_GATE)
    const first = unmet.find((rule) => rule.otherwise !== 'hold') ?? unmet[0] ?? open[0]
    return first?.message ?? (otherwise === 'confirm' ? `Run ${tool}?` : null)
  }

  /** Marks a gate; throws `reserved_gate` for `confirm`, which only a person answers. */
  mark(gate: string): void {
    this.#marked.add(markable(gate, 'mark'))
    this.#bits.mark(this.#markedBits, gate)
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
    this.#markedBits = this.#bits.createMarked()
    this.#tracked.clear()
  }
}
