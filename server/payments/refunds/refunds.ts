import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import type { PaymentUpdate } from '../../payment-provider/port.ts'
import { scheduleReward } from '../../referrals/referrals.ts'
import { Contradiction } from '../contradiction.ts'
import { blockWhileContested } from '../payment-block.ts'
import { type LockedPayment, lockPayment } from '../rows.ts'
import { settleClawback } from './clawback.ts'
import { mailOutcome } from './refund-mail.ts'

export type RefundUpdate = Extract<PaymentUpdate, { kind: 'refund' }>
export type DisputeUpdate = Extract<PaymentUpdate, { kind: 'dispute' }>

interface Claim {
  readonly ref: string
  readonly state: RefundUpdate['state'] | DisputeUpdate['state']
  readonly payment_id: string | null
}

/** States from which each state can be reached; late events must not undo a later state. A lost dispute may still be won. */
const further: Readonly<Record<Claim['state'], readonly Claim['state'][]>> = {
  pending: [],
  succeeded: ['pending'],
  failed: ['pending', 'succeeded'],
  open: [],
  lost: ['open'],
  won: ['open', 'lost'],
}

/**
 * E-mails the user who asked for the refund, once the outcome is known.
 * @returns its payment, if that is paid
 * @throws Contradiction when the payment would be refunded with more than was paid, or the amount is another than before
 */
export async function applyRefund(
  tx: Db,
  services: Services,
  update: RefundUpdate,
): Promise<LockedPayment | undefined> {
  const at = services.clock.now()
  const locked = await applyClaim(tx, { ...update, table: 'refund', ref: update.refundRef }, at)
  if (locked !== undefined) await mailOutcome(tx, services, locked, update.refundRef)
  return locked
}

/** The same for a dispute; disputes are added up apart from refunds, since a bank may dispute what was refunded. While one is open or lost, the user may not call. */
export async function applyDispute(
  tx: Db,
  update: DisputeUpdate,
  at: Date,
): Promise<LockedPayment | undefined> {
  return applyClaim(tx, { ...update, table: 'dispute', ref: update.disputeRef }, at)
}

interface ClaimUpdate {
  readonly table: 'refund' | 'dispute'
  readonly ref: string
  /** Key of a refund that we requested. */
  readonly key?: string | null
  readonly intentRef: string
  readonly amountMicroUsd: number
  readonly state: Claim['state']
}

async function applyClaim(tx: Db, update: ClaimUpdate, at: Date): Promise<LockedPayment | undefined> {
  const { table, ref, intentRef, amountMicroUsd, state } = update
  const [paid] = await tx.query<{ id: string }>(
    `select id from payment where intent_ref = $1 and state = 'paid'`,
    [intentRef],
  )
  const locked = paid && (await lockPayment(tx, paid.id))
  if (update.key != null) await nameAsked(tx, update.key, ref)
  await checkAmount(tx, update)
  await tx.query(
    `insert into ${table} (ref, intent_ref, amount, state, created_at) values ($1, $2, $3, $4, $5)
     on conflict (ref) do update set state = excluded.state, changed_at = $5 where ${table}.state = any($6::text[])`,
    [ref, intentRef, amountMicroUsd, state, at, further[state]],
  )
  if (locked === undefined) return undefined
  if (!(await fits(tx, table, locked, ref)))
    throw new Contradiction(`${table} ${ref} of ${amountMicroUsd} exceeds payment ${locked.payment.id}`)
  await settleClaim(tx, table, locked, ref, at)
  return locked
}

/** @throws Contradiction when a refund or dispute has no amount, or another one than was reported or requested before */
async function checkAmount(tx: Db, { table, ref, amountMicroUsd }: ClaimUpdate): Promise<void> {
  const [known] = await tx.query<{ amount_micro_usd: number }>(
    `select amount as amount_micro_usd from ${table} where ref = $1`,
    [ref],
  )
  if (amountMicroUsd <= 0 || (known !== undefined && known.amount_micro_usd !== amountMicroUsd))
    throw new Contradiction(
      `${table} ${ref} is of ${amountMicroUsd}, and was of ${known?.amount_micro_usd ?? 'no amount'}`,
    )
}

/** Whether a payment covers all its refunds, or all its disputes, together with this one, whatever its state. */
async function fits(
  tx: Db,
  table: ClaimUpdate['table'],
  { payment }: LockedPayment,
  ref: string,
): Promise<boolean> {
  const [claimed] = await tx.query<{ amount_micro_usd: number }>(
    `select coalesce(sum(amount), 0)::bigint as amount_micro_usd from ${table}
     where (payment_id = $1 or ref = $2) and state not in ('failed', 'won')`,
    [payment.id, ref],
  )
  return (claimed?.amount_micro_usd ?? 0) <= payment.amount_micro_usd
}

/** @throws Contradiction when the payment is ours: we sell in US dollars only */
export async function refuseForeignCurrency(tx: Db, intentRef: string): Promise<void> {
  const [paid] = await tx.query<{ id: string }>('select id from payment where intent_ref = $1', [intentRef])
  if (paid !== undefined)
    throw new Contradiction(`payment ${paid.id} was not paid in the currency of its refund`)
}

/** Stores the provider's id of a refund that we requested, when it is first reported. */
async function nameAsked(tx: Db, key: string, ref: string): Promise<void> {
  await tx.query(`update refund set ref = $2 where key = $1 and ref = 'asked:' || key`, [key, ref])
}

/**
 * Applies refunds and disputes that were reported before the payment was paid. One that exceeds the payment is dropped
 * and logged as an error: the payment stands, whatever was reported of it.
 */
export async function settleWaitingClaims(
  tx: Db,
  { log }: Pick<Services, 'log'>,
  locked: LockedPayment,
  at: Date,
): Promise<void> {
  for (const table of ['refund', 'dispute'] as const) {
    const waiting = await tx.query<{ ref: string }>(
      `select ref from ${table} where intent_ref = $1 and payment_id is null order by ref for update`,
      [locked.payment.intent_ref],
    )
    for (const { ref } of waiting) {
      if (await fits(tx, table, locked, ref)) await settleClaim(tx, table, locked, ref, at)
      else {
        await tx.query(`delete from ${table} where ref = $1`, [ref])
        log.error({ paymentId: locked.payment.id, ref }, `a ${table} exceeds its payment and was dropped`)
      }
    }
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
  await settleClawback(tx, locked, `${table}:${ref}${undone ? `:${claim.state}` : ''}`, at, key)
  if (table === 'refund') await countRefunded(tx, payment.id)
  else await blockWhileContested(tx, user.id)
  if (undone) await scheduleReward(tx, payment, at)
}

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
