import { formatBalance } from '#lib/rules/money.ts'
import { checkBooks } from '../books.ts'
import type { Db } from '../db/port.ts'
import type { Services } from './context.ts'
import { askAboutPayments } from './reconcile-provider.ts'

/** Something that does not agree, or that ought to have ended by itself. */
export interface Difference {
  readonly kind: 'books' | 'call' | 'meter' | 'payment' | 'auto_topup' | 'refund'
  /** For the operator: names by id, nobody's address or number. */
  readonly words: string
}

export interface ReconciliationReport {
  readonly transfers: number
  /** Payments that the provider was asked about and gave an answer to. */
  readonly compared: number
  /** Payments that are left for the next run, because the provider was not reached. */
  readonly notCompared: number
  readonly differences: readonly Difference[]
}

/**
 * A live call has a heartbeat every 5 s, and is settled by others 30 s after the last: nothing mends one as old as this.
 * A shared network is asked about its calls every 4 minutes at least.
 */
export const silentCallMs = 5 * 60_000
/** A minute that is due is charged within a second. */
const lateMinuteMs = 5 * 60_000
/** Auto top-ups are given up after an hour, and a refund is answered within seconds. */
export const unfinishedMs = 24 * 3600_000
/** So many of each kind are listed. */
const listed = 100
/** So many rows of a broken invariant are shown. */
const shownRows = 3

/**
 * Compares calls, meter, ledger and provider, and says what does not agree. It mends nothing: what can be mended is mended
 * by the workers, within minutes, and what is found here was not.
 */
export async function reconcileEverything(services: Services): Promise<ReconciliationReport> {
  const { db, clock } = services
  const now = clock.now()
  const books = await checkBooks(db)
  const asked = await askAboutPayments(services, new Date(now.getTime() - unfinishedMs))
  return {
    transfers: books.transfers,
    compared: asked.compared,
    notCompared: asked.notCompared,
    differences: [
      ...books.breaches.map(
        ({ invariant, rows }): Difference => ({
          kind: 'books',
          words: `Broken, ${rows.length} times: ${invariant}. ${rows
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

/** A meter that runs on after its call is a broken invariant of the books already. */
async function findCallDifferences(db: Db, now: Date): Promise<Difference[]> {
  const silent = await db.query<{ id: string; node: string | null; shared: boolean; seen: Date }>(
    `select id, node, carrier_leg is not null as shared, coalesce(heartbeat_at, placed_at) as seen from call
     where state <> 'ended' and coalesce(heartbeat_at, placed_at) <= $1 order by placed_at limit ${listed}`,
    [new Date(now.getTime() - silentCallMs)],
  )
  const meters = await db.query<{ id: string; free: boolean; metered: boolean }>(
    `select call.id, free, call_id is not null as metered
     from call left join call_meter on call_id = call.id
     where call.state = 'answered' and (free = (call_id is not null) or next_charge_at <= $1)
     order by placed_at limit ${listed}`,
    [new Date(now.getTime() - lateMinuteMs)],
  )
  return [
    ...silent.map(
      ({ id, node, shared, seen }): Difference => ({
        kind: 'call',
        words: `Call ${id} counts as live, and ${
          shared ? 'its network has not said so' : `its process (${node ?? 'not known'}) wrote no heartbeat`
        } since ${seen.toISOString()}.`,
      }),
    ),
    ...meters.map(
      ({ id, free, metered }): Difference => ({
        kind: 'meter',
        words: `Call ${id} ${meterWords(free, metered)}.`,
      }),
    ),
  ]
}

function meterWords(free: boolean, metered: boolean): string {
  if (free !== metered) return 'has a minute that is due and was not charged'
  return free ? 'is free and has a meter' : 'is charged and has no meter'
}

async function findUnfinishedRefunds(db: Db, now: Date): Promise<Difference[]> {
  const refunds = await db.query<{ ref: string; payment_id: string | null; amount: number; asked: boolean }>(
    `select ref, payment_id, amount, ref = 'asked:' || key as asked from refund
     where state = 'pending' and created_at <= $1 order by created_at limit ${listed}`,
    [new Date(now.getTime() - unfinishedMs)],
  )
  return refunds.map(({ ref, payment_id, amount, asked }) => ({
    kind: 'refund',
    words: `Refund ${ref} of ${formatBalance(amount)}, payment ${payment_id ?? 'not known'}, is pending for more than a day: ${asked ? 'the provider never answered' : 'the provider has not finished it'}.`,
  }))
}
