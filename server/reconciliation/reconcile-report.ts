import { formatBalance } from '#lib/money/money.ts'
import { type Result, success } from '#lib/result.ts'
import { dayMs, minuteMs } from '#lib/time.ts'
import type { Services } from '../context.ts'
import type { Db } from '../db/port.ts'
import { type BooksCheck, checkBooks } from '../ledger/books/whole.ts'
import { audit } from '../observability/audit.ts'
import { askAboutPayments } from './reconcile-provider.ts'

/** A disagreement, or something that should have ended by itself. */
export interface Difference {
  readonly kind: 'books' | 'call' | 'meter' | 'payment' | 'auto_topup' | 'refund'
  /** For the operator: ids only, no addresses or numbers. */
  readonly text: string
}

export interface ReconciliationReport {
  readonly transfers: number
  /** Payments for which the provider answered. */
  readonly compared: number
  /** Payments left for the next run because the provider was unreachable. */
  readonly notCompared: number
  readonly differences: readonly Difference[]
}

/** Calls have a heartbeat every 5 s and are settled 30 s after the last; a carrier lists its calls once a minute. */
export const silentCallMs = 5 * minuteMs
/** Due minutes are charged within a second. */
const lateMinuteMs = 5 * minuteMs
/** Auto top-ups are abandoned after an hour, and a refund is answered within seconds. */
export const unfinishedMs = dayMs
/** Max differences listed of each kind. */
const listed = 100
const shownRows = 3

/** Reports differences, but corrects none: workers would have by now. @param onProgress called as a sign of life */
export async function reconcileEverything(
  services: Services,
  check: (db: Db) => Promise<BooksCheck> = checkBooks,
  onProgress: () => Promise<void> = async () => undefined,
): Promise<ReconciliationReport> {
  const { db, clock } = services
  const now = clock.now()
  const books = await check(db)
  const asked = await askAboutPayments(services, new Date(now.getTime() - unfinishedMs), onProgress)
  return {
    transfers: books.transfers,
    compared: asked.compared,
    notCompared: asked.notCompared,
    differences: [
      ...books.breaches.map(
        ({ invariant, rows }): Difference => ({
          kind: 'books',
          text: `Broken, ${rows.length} times: ${invariant}. ${rows
            .slice(0, shownRows)
            .map(row => JSON.stringify(row))
            .join(', ')}`,
        }),
      ),
      ...(await findCallDifferences(db, now)),
      ...asked.differences,
      ...(await findUnfinishedRefunds(db, now)),
    ],
  }
}

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

/** Selects live calls before sorting and meters one by one, so that the query does not read all past calls. */
export async function findCallDifferences(db: Db, now: Date): Promise<Difference[]> {
  const silent = await db.query<{ id: string; node: string | null; shared: boolean; seen: Date }>(
    `with live as materialized (
       select id, node, carrier_leg is not null as shared, coalesce(heartbeat_at, placed_at) as seen, placed_at from call
       where state <> 'ended')
     select id, node, shared, seen from live where seen <= $1 order by placed_at limit ${listed}`,
    [new Date(now.getTime() - silentCallMs)],
  )
  const meters = await db.query<{ id: string; free: boolean; metered: boolean }>(
    `with live as materialized (select id, free, placed_at from call where state = 'answered')
     select id, free, call_id is not null as metered
     from live left join lateral (
       select call_id, next_charge_at from call_meter where call_id = live.id offset 0) meter on true
     where free = (call_id is not null) or next_charge_at <= $1
     order by placed_at limit ${listed}`,
    [new Date(now.getTime() - lateMinuteMs)],
  )
  return [
    ...silent.map(
      ({ id, node, shared, seen }): Difference => ({
        kind: 'call',
        text: `Call ${id} counts as live, and ${
          shared ? 'its network has not said so' : `its process (${node ?? 'not known'}) wrote no heartbeat`
        } since ${seen.toISOString()}.`,
      }),
    ),
    ...meters.map(
      ({ id, free, metered }): Difference => ({
        kind: 'meter',
        text: `Call ${id} ${meterText(free, metered)}.`,
      }),
    ),
  ]
}

function meterText(free: boolean, metered: boolean): string {
  if (free !== metered) return 'has a minute that is due and was not charged'
  return free ? 'is free and has a meter' : 'is charged and has no meter'
}

async function findUnfinishedRefunds(db: Db, now: Date): Promise<Difference[]> {
  const refunds = await db.query<{
    ref: string
    payment_id: string | null
    amount_micro_usd: number
    asked: boolean
  }>(
    `select ref, payment_id, amount as amount_micro_usd, ref = 'asked:' || key as asked from refund
     where state = 'pending' and created_at <= $1 order by created_at limit ${listed}`,
    [new Date(now.getTime() - unfinishedMs)],
  )
  return refunds.map(({ ref, payment_id, amount_micro_usd: amountMicroUsd, asked }) => ({
    kind: 'refund',
    text: `Refund ${ref} of ${formatBalance(amountMicroUsd)}, payment ${payment_id ?? 'not known'}, is pending for more than a day: ${asked ? 'the provider never answered' : 'the provider has not finished it'}.`,
  }))
}
