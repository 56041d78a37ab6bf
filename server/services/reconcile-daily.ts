import { company } from '#lib/company.ts'
import { reconciliationLetter } from '../mail/reconciliation-letter.ts'
import type { Services } from './context.ts'
import { queueLetter } from './queue-letter.ts'
import { reconcileEverything } from './reconcile-report.ts'

const dayMs = 24 * 3600_000
/** Who began and has not ended by then has died; another process begins anew. */
export const abandonedMs = 3600_000

/**
 * Compares calls, meter, ledger and provider if that was last done a day ago, once among all processes. What does not
 * agree goes to the log as errors, and in one mail to the company's support address.
 * @returns whether it was done now
 */
export async function reconcileDaily(services: Services): Promise<boolean> {
  const { db, clock, log } = services
  const at = clock.now()
  const claimed = await db.query(
    `update reconciliation set claimed_at = $1
     where coalesce(ran_at <= $2, true) and coalesce(claimed_at <= $3, true) returning single`,
    [at, new Date(at.getTime() - dayMs), new Date(at.getTime() - abandonedMs)],
  )
  if (claimed.length === 0) return false
  const report = await reconcileEverything(services)
  for (const { kind, words } of report.differences) log.error({ kind }, `reconciliation: ${words}`)
  if (report.notCompared > 0) {
    log.warn({ payments: report.notCompared }, 'reconciliation: the provider was not reached')
  }
  await db.transaction(async tx => {
    const differences = report.differences.length
    await tx.query('update reconciliation set ran_at = $1, differences = $2', [at, differences])
    if (report.differences.length === 0) return
    const key = `reconciliation:${at.toISOString()}`
    await queueLetter(tx, key, company.supportEmail, reconciliationLetter(report), at)
  })
  return true
}
