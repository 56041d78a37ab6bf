import { type Result, success } from '#lib/result.ts'
import type { Services } from '../context.ts'
import { audit } from '../observability/audit.ts'
import { type ReconciliationReport, reconcileEverything } from './reconcile-report.ts'

/** Runs a reconciliation now. Does not delay the daily run, and sends no e-mail. */
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
