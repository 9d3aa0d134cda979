import type { AdapterDeclaration } from '../model/adapter.ts'
import type { CertifyHarness, ClaimReport } from './certify-harness.ts'
import { ADAPTER_CLAIMS } from './adapter-claims.ts'
import type { AdapterClaim } from './adapter-claims.ts'

/** What `certify` found: `ok` where every claim that the adapter makes was proven. */
export type CertifyReport = { readonly adapter: string; readonly version: string; readonly ok: boolean; readonly claims: readonly ClaimReport[] }

/**
 * Proves an adapter's declaration (contract 6), claim by claim, in its real framework as the harness drives it. A claim
 * that is not made is `not claimed`; a harness that fails leaves its claim `unproven`, and that is not ok. Never rejects.
 */
export async function certify(adapter: AdapterDeclaration, harness: CertifyHarness): Promise<CertifyReport> {
  const claims: ClaimReport[] = []
  for (const claim of ADAPTER_CLAIMS) claims.push(await prove(claim, adapter, harness))
  return { adapter: adapter.id, version: adapter.version, ok: claims.every(({ result }) => result === 'proven' || result === 'not claimed'), claims }
}

async function prove(claim: AdapterClaim, adapter: AdapterDeclaration, harness: CertifyHarness): Promise<ClaimReport> {
  const { name, text } = claim
  if (!claim.isMadeBy(adapter)) return { name, text, result: 'not claimed' }
  try {
    const stage = await harness.open({ gates: claim.gates, tools: claim.tools })
    try {
      const fault = await claim.fault(stage)
      return fault === undefined ? { name, text, result: 'proven' } : { name, text, result: 'refuted', why: fault }
    } finally {
      await stage.close()
    }
  } catch (error) {
    return { name, text, result: 'unproven', why: String(error) }
  }
}
