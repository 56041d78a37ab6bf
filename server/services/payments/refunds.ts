import { company } from '#lib/company.ts'
import type { Db } from '../../db/port.ts'
import type { PaymentNews } from '../../payments/port.ts'
import type { Services } from '../context.ts'
import { markReferralDue } from '../referral-attribution.ts'
import { mailOutcome } from './refund-mail.ts'
import { type LockedPayment, lockPayment } from './rows.ts'
import { settleTakenBack } from './take-back.ts'

export type RefundNews = Extract<PaymentNews, { kind: 'refund' }>
export type DisputeNews = Extract<PaymentNews, { kind: 'dispute' }>

/** What an account is blocked for while a payment of it is disputed. Its owner reads this. */
export const disputeReason = `A payment for your credits is disputed with your bank. Write to ${company.supportEmail} to settle it.`

interface Claim {
  readonly ref: string
  readonly state: RefundNews['state'] | DisputeNews['state']
  readonly payment_id: string | null
}

/**
 * News that arrives late says less than what is known: a state gives way only to one further on. A dispute that was
 * lost may still be won.
 */
const further: Readonly<Record<Claim['state'], readonly Claim['state'][]>> = {
  pending: [],
  succeeded: ['pending'],
  failed: ['pending', 'succeeded'],
  open: [],
  lost: ['open'],
  won: ['open', 'lost'],
}

/**
 * Takes in what became of a refund, and writes to the user who asked for it once it is known.
 * @returns the payment it is of, once that is paid
 */
export async function takeRefund(
  tx: Db,
  services: Services,
  news: RefundNews,
): Promise<LockedPayment | undefined> {
  const at = services.clock.now()
  const locked = await takeClaim(tx, { ...news, table: 'refund', ref: news.refundRef }, at)
  if (locked !== undefined) await mailOutcome(tx, services, locked, news.refundRef)
  return locked
}

/** The same of a dispute. While one is open or lost, the user may not call. */
export async function takeDispute(tx: Db, news: DisputeNews, at: Date): Promise<LockedPayment | undefined> {
  return takeClaim(tx, { ...news, table: 'dispute', ref: news.disputeRef }, at)
}

interface ClaimNews {
  readonly table: 'refund' | 'dispute'
  readonly ref: string
  readonly intentRef: string
  readonly amountMicroUsd: number
  readonly state: Claim['state']
}

async function takeClaim(tx: Db, news: ClaimNews, at: Date): Promise<LockedPayment | undefined> {
  const { table, ref, intentRef, amountMicroUsd, state } = news
  const [paid] = await tx.query<{ id: string }>(
    `select id from payment where intent_ref = $1 and state = 'paid'`,
    [intentRef],
  )
  const locked = paid && (await lockPayment(tx, paid.id))
  if (table === 'refund') await adoptAsked(tx, news)
  await tx.query(
    `insert into ${table} (ref, intent_ref, amount, state, created_at) values ($1, $2, $3, $4, $5)
     on conflict (ref) do update set state = excluded.state where ${table}.state = any($6::text[])`,
    [ref, intentRef, amountMicroUsd, state, at, further[state]],
  )
  if (locked === undefined) return undefined
  await settleClaim(tx, table, locked, ref, at)
  return locked
}

/**
 * The first that is heard of a refund under a name of the provider's is taken for the one that a user asked for and that
 * has no name yet, if it is as large. Should it be another, the sum of both is right once the answer is there.
 */
async function adoptAsked(tx: Db, { ref, intentRef, amountMicroUsd }: ClaimNews): Promise<void> {
  await tx.query(
    `update refund set ref = $1 where not exists (select 1 from refund where ref = $1)
     and ref = (select ref from refund where intent_ref = $2 and amount = $3 and state = 'pending' and ref = 'asked:' || key)`,
    [ref, intentRef, amountMicroUsd],
  )
}

/** What was heard of a payment's refunds and disputes before it was paid takes effect. */
export async function settleWaitingClaims(tx: Db, locked: LockedPayment, at: Date): Promise<void> {
  for (const table of ['refund', 'dispute'] as const) {
    const waiting = await tx.query<{ ref: string }>(
      `select ref from ${table} where intent_ref = $1 and payment_id is null order by ref for update`,
      [locked.payment.intent_ref],
    )
    for (const { ref } of waiting) await settleClaim(tx, table, locked, ref, at)
  }
}

async function settleClaim(
  tx: Db,
  table: 'refund' | 'dispute',
  locked: LockedPayment,
  ref: string,
  at: Date,
): Promise<void> {
  const { payment, user } = locked
  const [claim] = await tx.query<Claim>(
    `update ${table} set payment_id = $2 where ref = $1 returning ref, state, payment_id`,
    [ref, payment.id],
  )
  if (claim === undefined) throw new Error('a refund or dispute was neither written nor found')
  const undone = claim.state === 'failed' || claim.state === 'won'
  const key = undone && table === 'refund' ? await findKey(tx, ref) : undefined
  await settleTakenBack(tx, locked, `${table}:${ref}${undone ? `:${claim.state}` : ''}`, at, key)
  if (table === 'refund') await countRefunded(tx, payment.id)
  else await blockWhileDisputed(tx, user.id)
  await markReferralDue(tx, user.id, at)
}

/** Under which we asked for a refund, if it was we. */
async function findKey(tx: Db, ref: string): Promise<string | undefined> {
  const [refund] = await tx.query<{ key: string | null }>('select key from refund where ref = $1', [ref])
  return refund?.key ?? undefined
}

async function countRefunded(tx: Db, paymentId: string): Promise<void> {
  await tx.query(
    `update payment set refunded = least(amount, (
       select coalesce(sum(refund.amount), 0) from refund where payment_id = payment.id and refund.state = 'succeeded'))
     where id = $1`,
    [paymentId],
  )
}

/**
 * Blocks, and unblocks whom nothing else has blocked: a reason that somebody else wrote stays. Whom an operator let call
 * again is not blocked by what was disputed by then, however that goes on.
 */
async function blockWhileDisputed(tx: Db, userId: string): Promise<void> {
  const [row] = await tx.query<{ disputed: boolean }>(
    `select exists (select 1 from dispute join payment on payment.id = dispute.payment_id
       where payment.user_id = $1::uuid and dispute.state <> 'won'
         and dispute.created_at > coalesce((select max(at) from audit_entry
           where action = 'unblock' and subject = $1::text), '-infinity')) as disputed`,
    [userId],
  )
  if (row?.disputed === true) {
    // Who has deleted the account may come back: then the reason counts.
    await tx.query(
      `update app_user set can_call = false, blocked_reason = $2
       where id = $1 and (can_call or (deleted_at is not null and blocked_reason is null))`,
      [userId, disputeReason],
    )
  } else {
    await tx.query(
      `update app_user set can_call = deleted_at is null, blocked_reason = null
       where id = $1 and blocked_reason = $2`,
      [userId, disputeReason],
    )
  }
}
