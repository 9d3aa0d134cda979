import type { CallScope } from '../ports/call-scope.ts'
import type { Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import type { Store } from '../ports/store.ts'
import { asyncScope } from './async-scope.ts'
import { memoryStore } from './memory-store.ts'
import type { MemoryStoreOptions } from './memory-store.ts'
import { systemClock } from './system-clock.ts'
import { systemRandom } from './system-random.ts'

/** The ports of one process: what a gatekeeper needs of its surroundings. */
export type LocalPorts = { readonly store: Store; readonly clock: Clock; readonly random: Random; readonly scope: CallScope }

/** Ports for one process: a store in memory that ends with it, with bounds of its own where they are given, the system's clock and randomness. */
export function local(bounds: MemoryStoreOptions = {}): LocalPorts {
  return { store: memoryStore(bounds), clock: systemClock(), random: systemRandom(), scope: asyncScope() }
}
