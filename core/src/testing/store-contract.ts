import { approversContract } from './approvers-contract.ts'
import { claimsContract } from './claims-contract.ts'
import { holdsContract } from './holds-contract.ts'
import { lifeContract } from './life-contract.ts'
import { limitsContract } from './limits-contract.ts'
import { marksContract } from './marks-contract.ts'
import { recordContract } from './record-contract.ts'
import type { StoreUnderTest } from './store-claims.ts'

/** One claim that a store must keep; `run` rejects with a text that says what was expected and what was found. */
export type StoreClaim = { readonly name: string; run(): Promise<void> }

/**
 * What every store of callgate promises, as claims that any test runner can loop over. `open` makes a fresh, empty
 * store for each claim; `dispose` is called after it, also where the claim failed or had closed the store itself.
 */
export function storeContract(open: () => Promise<StoreUnderTest>): readonly StoreClaim[] {
  const checks = [...marksContract, ...claimsContract, ...limitsContract, ...holdsContract, ...recordContract, ...approversContract, ...lifeContract]
  return checks.map(({ name, check }) => ({
    name,
    async run() {
      const subject = await open()
      try {
        await check(subject)
      } finally {
        await subject.dispose()
      }
    },
  }))
}
