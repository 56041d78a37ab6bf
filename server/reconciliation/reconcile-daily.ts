import { company } from '#lib/company.ts'
import { dayMs, minuteMs } from '#lib/time.ts'
import type { Services } from '../context.ts'
import { checkRecentBooks } from '../ledger/books/recent.ts'
import { queueEmail } from '../mail/queue-email.ts'
import { reconcileEverything } from './reconcile-report.ts'
import { reconciliationEmail } from './reconciliation-email.ts'

/** Lease: the working process renews it. When it expires, that process has died and another takes over. */
export const abandonedMs = 5 * minuteMs
const renewMs = 30_000

/**
 * Runs once a day, in one process. Logs differences and mails them to support.
 * @param giveUpLateCredits runs before the books are checked
 * @returns whether it ran
 */
export async function reconcileDaily(
  services: Services,
  giveUpLateCredits: (services: Services) => Promise<void>,
): Promise<boolean> {
  const { db, clock, log } = services
  const at = clock.now()
  const claimed = await db.query(
    `update reconciliation set claimed_at = $1
     where coalesce(ran_at <= $2, true) and coalesce(claimed_at <= $3, true) returning single`,
    [at, new Date(at.getTime() - dayMs), new Date(at.getTime() - abandonedMs)],
  )
  if (claimed.length === 0) return false
  await db.analyze?.()
  await giveUpLateCredits(services)
  const renew = renewLease(services)
  const report = await reconcileEverything(services, () => checkRecentBooks(db, clock, renew), renew)
  for (const { kind, text } of report.differences) log.error({ kind }, `reconciliation: ${text}`)
  if (report.notCompared > 0) {
    log.warn({ payments: report.notCompared }, 'reconciliation: the provider could not be reached')
  }
  await db.transaction(async tx => {
    const differences = report.differences.length
    await tx.query('update reconciliation set ran_at = $1, differences = $2', [at, differences])
    if (report.differences.length === 0) return
    const key = `reconciliation:${at.toISOString()}`
    await queueEmail(tx, key, company.supportEmail, reconciliationEmail(report), at)
  })
  return true
}

function renewLease({ db, clock }: Services): () => Promise<void> {
  let renewedMs = clock.monotonicMs()
  return async () => {
    if (clock.monotonicMs() - renewedMs < renewMs) return
    renewedMs = clock.monotonicMs()
    await db.query('update reconciliation set claimed_at = $1', [clock.now()])
  }
}
