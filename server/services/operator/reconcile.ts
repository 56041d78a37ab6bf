import { type Result, success } from '#lib/result.ts'
import type { Services } from '../context.ts'
import { type ReconciliationReport, reconcileEverything } from '../reconcile-report.ts'
import { audit } from './audit.ts'

/** Compares calls, meter, ledger and provider now. The daily run is not put off by it, and no mail is sent. */
export async function reconcileOnDemand(
  services: Services,
  { actor }: { readonly actor: string },
): Promise<Result<ReconciliationReport, never>> {
  const report = await reconcileEverything(services)
  await audit(services.db, {
    at: services.clock.now(),
    actor,
    action: 'reconcile',
    subject: 'books',
    detail: { differences: report.differences.length },
  })
  return success(report)
}
