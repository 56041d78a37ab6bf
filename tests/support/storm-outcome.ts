import type { Db } from '#server/db/port.ts'
import { type Breach, findBreaches } from './books.ts'

/** Figures from the books, and values that must be zero or equal. Money in micro-dollars. */
export interface StormBooks {
  readonly calls: number
  readonly minutesCharged: number
  readonly settlements: number
  /** Payments by buyers, and by saved cards. */
  readonly checkouts: number
  readonly autoTopUps: number
  readonly refunds: number
  readonly disputes: number
  readonly rewards: number
  /** Payments of which a part was held for review. */
  readonly held: number
  readonly exhausted: number
  /** Calls lost with their process, or without a confirmed end. */
  readonly lost: number
  /** Distinct events that the server processed. */
  readonly events: number
  /** Must be zero. */
  readonly unsettled: number
  readonly reserved: number
  readonly wronglyPaid: readonly unknown[]
  readonly wronglyCharged: readonly string[]
  readonly breaches: readonly Breach[]
  /** Must be equal: customers' money by the ledger, and by the provider and the calls. */
  readonly byLedger: Cash
  readonly byFacts: Cash
}

interface Cash {
  readonly payments: number
  readonly revenue: number
}

/**
 * @param talked milliseconds of each call whose end a server processed; null when unanswered
 * @param startMicroUsd total of all balances before the storm
 */
export async function readBooks(
  db: Db,
  talked: ReadonlyMap<string, number | null>,
  startMicroUsd: number,
): Promise<StormBooks> {
  const count = async (sql: string): Promise<number> =>
    (await db.query<{ n: number }>(`select count(*)::int as n from ${sql}`))[0]?.n ?? Number.NaN
  return {
    calls: await count('call'),
    minutesCharged: await count(`transfer where key ~ '^call:[^:]+:[0-9]+$'`),
    settlements: await count(`transfer where key like '%:settlement'`),
    checkouts: await count(`payment where state = 'paid' and kind = 'checkout'`),
    autoTopUps: await count(`payment where state = 'paid' and kind = 'auto_topup'`),
    refunds: await count('refund'),
    disputes: await count('dispute'),
    rewards: await count(`transfer where key ~ '^referral:[^:]+$'`),
    held: await count('payment where held > 0'),
    exhausted: await count(`call_meter where state = 'exhausted'`),
    lost: await count(`call where outcome = 'interrupted'`),
    events: await count('payment_event'),
    unsettled: await count(`call where state <> 'ended'`),
    reserved: await count(`app_user where free_call = 'reserved'`),
    wronglyPaid: await findWronglyPaid(db),
    wronglyCharged: await findWronglyCharged(db, talked),
    breaches: await findBreaches(db),
    ...(await readCash(db, startMicroUsd)),
  }
}

/** Payments that differ between the provider's books and ours, or that were not posted exactly once. */
async function findWronglyPaid(db: Db): Promise<readonly unknown[]> {
  return db.query(
    `select 'payment' as what, payment.id::text, payment.state as ours, intent.state as theirs
     from payment full join local_intent intent on intent.payment_id = payment.id
     where (payment.state is not distinct from 'paid') <> (intent.state is not distinct from 'paid')
       or (payment.state = 'paid' and (payment.amount <> intent.amount or payment.intent_ref <> intent.ref))
     union all
     select 'credit', payment.id::text, sum(transfer.amount)::text, count(*)::text
     from payment join transfer on transfer.payment_id = payment.id
       and key in ('payment:' || payment.id, 'held:' || payment.id)
     group by payment.id, payment.state, payment.amount, payment.held
     having payment.state <> 'paid' or sum(transfer.amount) <> payment.amount
       or count(*) <> (case when payment.held in (0, payment.amount) then 1 else 2 end)
     union all
     select 'refund', coalesce(refund.ref, theirs.ref), refund.state, theirs.amount::text
     from refund full join local_refund theirs on theirs.ref = refund.ref
     where (theirs.ref is null and refund.state <> 'failed') or refund.ref is null or refund.amount <> theirs.amount
     union all
     select 'dispute', theirs.ref, dispute.state, theirs.state
     from local_dispute theirs left join dispute on dispute.ref = theirs.ref
     where dispute.state is distinct from theirs.state`,
  )
}

/**
 * Calls whose charge differs from the time talked. A call without a confirmed end may cost its caller less, but never
 * more.
 */
async function findWronglyCharged(db: Db, talked: ReadonlyMap<string, number | null>): Promise<string[]> {
  const calls = await db.query<{
    id: string
    outcome: string
    free: boolean
    minutes: number
    exhausted: boolean
  }>(
    `select call.id, outcome, free, minutes_charged as minutes, call_meter.state is not distinct from 'exhausted' as exhausted
     from call left join call_meter on call_id = call.id`,
  )
  return calls.flatMap(({ id, outcome, free, minutes, exhausted }) => {
    const answeredMs = talked.get(id)
    if (answeredMs === undefined) return []
    const expected = free ? 0 : Math.ceil((answeredMs ?? 0) / 60_000)
    const mayBeLess = exhausted || outcome === 'interrupted'
    const isRight = mayBeLess ? minutes <= expected : minutes === expected
    return isRight ? [] : [`${id} (${outcome}): ${minutes} minutes were charged, ${expected} were talked`]
  })
}

async function readCash(db: Db, startMicroUsd: number): Promise<{ byLedger: Cash; byFacts: Cash }> {
  const [row] = await db.query<
    Record<'paid' | 'back' | 'disputed' | 'calls' | 'payments' | 'revenue', number>
  >(
    `select (select coalesce(sum(amount), 0) from local_intent where state = 'paid')::bigint as paid,
       (select coalesce(sum(refunded), 0) from local_intent)::bigint as back,
       (select coalesce(sum(amount), 0) from local_dispute where state <> 'won')::bigint as disputed,
       (select coalesce(sum(case when free then ceil(coalesce(answered_ms, 0) / 60000.0) * rate else cost end), 0)
        from call)::bigint as calls,
       sum(case when debit.kind = 'payments' then amount when credit.kind = 'payments' then -amount else 0 end)::bigint
         as payments,
       sum(case when credit.kind = 'revenue' then amount when debit.kind = 'revenue' then -amount else 0 end)::bigint
         as revenue
     from transfer join account debit on debit.id = debit_account join account credit on credit.id = credit_account`,
  )
  if (row === undefined) throw new Error('an aggregate gave no row')
  return {
    byLedger: { payments: row.payments, revenue: row.revenue },
    byFacts: { payments: startMicroUsd + row.paid - row.back - row.disputed, revenue: row.calls },
  }
}
