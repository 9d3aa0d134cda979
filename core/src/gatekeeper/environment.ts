import type { CompiledGates } from '../gates/compile-gates.ts'
import type { ToolReading } from '../gates/read-marks.ts'
import type { AdmissionKernel } from '../kernel/admission-kernel.ts'
import type { AdapterDeclaration } from '../model/adapter.ts'
import type { Approver } from '../ports/approver.ts'
import type { CallScope } from '../ports/call-scope.ts'
import type { Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import type { Store } from '../ports/store.ts'
import type { Redactor } from '../record/redactor.ts'

/** What a tool's result says of the call: only a success marks gates; `incomplete` is a task or a request for input. */
export type Completion = 'success' | 'failure' | 'incomplete'

/** All that a session's calls are judged with: the rules, the kernel, and the ports. */
export type Environment = {
  readonly gates: CompiledGates
  readonly rulesVersion: string
  readonly kernel: AdmissionKernel
  /** Without policies nobody observes what ran. */
  readonly hasPolicies: boolean
  readonly adapter: AdapterDeclaration
  readonly server: string | undefined
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
  readonly scope: CallScope | undefined
  readonly approver: Approver | undefined
  readonly holdExpiresMs: number
  /** Names this process in claims. */
  readonly owner: string
  completion(result: unknown): Completion
  /** What rules may read of a result. */
  reading(result: unknown): ToolReading
  /** What becomes of a call whose arguments no schema vouches for, where a rule looks at them. */
  readonly schemaless: 'refuse' | 'allow'
  /** Hides values from all that is written or told of a call. */
  readonly redactor: Redactor | undefined
  warn(message: string): void
}
