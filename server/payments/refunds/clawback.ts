import type { Refundable } from '#lib/money/refunds.ts'
import type { Db } from '../../db/port.ts'
import { type Party, post } from '../../ledger/ledger.ts'
import type { LockedPayment } from '../rows.ts'
import { type Movement, unspentPaid } from './paid-credits.ts'

/** Amounts clawed back or due to be. Micro-dollars. */
interface ClawedBack {
  readonly amountMicroUsd: number
  readonly bonus: number
}

interface Sources {
  readonly customer: number
  readonly unreleased: number
  readonly losses: number
}

/**
 * Brings the ledger in line with a payment's refunds and disputes. Takes first what waits for review, then what is left
 * of the balance, with the bonus in proportion; the rest is our loss (`dispute_losses`). Money that returns covers
 * losses first, so the order of events does not matter.
 * @param cause prefix of the transfers' keys; a repeated cause changes nothing
 * @param undoneKey key of a failed refund of ours: losses from before it stay losses, as if it had not been requested
 */
export async function settleClawback(
  tx: Db,
  { user, payment }: LockedPayment,
  cause: string,
  at: Date,
  undoneKey?: string,
): Promise<void> {
  const target = await dueNow(tx, payment)
  const { before, sources } = await clawedBackSoFar(tx, payment.id)
  const amountMicroUsd = target.amountMicroUsd - before.amountMicroUsd
  const bonus = target.bonus - before.bonus
  if (amountMicroUsd === 0 && bonus === 0) return
  const move = async (debit: Party, credit: Party, amountMicroUsd: number, suffix: string) => {
    const key = `${cause}${suffix}`
    if (amountMicroUsd > 0) await post(tx, { key, debit, credit, amountMicroUsd, paymentId: payment.id, at })
  }
  const account = user.account_id
  const waits = payment.released_at === null
  if (amountMicroUsd >= 0 && bonus >= 0) {
    const [row] = await tx.query<{ balance: number }>(
      'select balance from account where id = $1 for no key update',
      [account],
    )
    const held = waits ? Math.min(amountMicroUsd, payment.held - sources.unreleased) : 0
    const fromBalance = Math.min(row?.balance ?? 0, amountMicroUsd - held + bonus)
    const paid = Math.min(fromBalance, amountMicroUsd - held)
    await move('unreleased', 'payments', held, ':held')
    await move(account, 'payments', paid, '')
    await move('dispute_losses', 'payments', amountMicroUsd - held - paid, ':loss')
    await move(account, 'promotions', fromBalance - paid, ':bonus')
    await move('dispute_losses', 'promotions', bonus - (fromBalance - paid), ':bonus:loss')
    return
  }
  const [paidBack, bonusBack] = [-amountMicroUsd, -bonus]
  const spared = undoneKey === undefined ? 0 : await lostBefore(tx, payment.id, undoneKey)
  const toLosses = Math.min(Math.max(sources.losses - spared, 0), paidBack + bonusBack)
  // Money released in the meantime belongs to the customer.
  const ofCustomer = sources.customer + (waits ? 0 : sources.unreleased)
  const toCustomer = Math.min(ofCustomer, paidBack + bonusBack - toLosses)
  const lossPaid = Math.min(toLosses, paidBack)
  const customerPaid = Math.min(toCustomer, paidBack - lossPaid)
  await move('payments', 'dispute_losses', lossPaid, ':loss')
  await move('payments', account, customerPaid, '')
  await move('payments', 'unreleased', paidBack - lossPaid - customerPaid, ':held')
  await move('promotions', 'dispute_losses', toLosses - lossPaid, ':bonus:loss')
  await move('promotions', account, toCustomer - customerPaid, ':bonus')
}

/** What of a paid payment still waits for review, net of clawbacks. Micro-dollars. */
export async function waitingPart(tx: Db, payment: LockedPayment['payment']): Promise<number> {
  if (payment.released_at !== null) return 0
  return payment.held - (await clawedBackSoFar(tx, payment.id)).sources.unreleased
}

export async function refundableOf(tx: Db, { user, payment }: LockedPayment): Promise<Refundable> {
  const { before, sources } = await clawedBackSoFar(tx, payment.id)
  const waits = payment.held > 0 && payment.released_at === null
  return {
    amountMicroUsd: payment.amount_micro_usd,
    bonus: waits ? 0 : payment.bonus,
    clawedBack: before.amountMicroUsd,
    bonusClawedBack: before.bonus,
    waiting: waits ? payment.held - sources.unreleased : 0,
    balance: user.balance,
    unspent: await unspentPaidOf(tx, user.id),
  }
}

/** Sum of the payment's refunds and disputes, and the proportional part of its bonus, if the bonus was given. */
async function dueNow(tx: Db, payment: LockedPayment['payment']): Promise<ClawedBack> {
  const [row] = await tx.query<{ amount_micro_usd: number }>(
    `select (select coalesce(sum(amount), 0) from refund where payment_id = $1 and state <> 'failed')::bigint
          + (select coalesce(sum(amount), 0) from dispute where payment_id = $1 and state <> 'won')::bigint
       as amount_micro_usd`,
    [payment.id],
  )
  const amountMicroUsd = row?.amount_micro_usd ?? 0
  if (payment.held > 0 && payment.released_at === null) return { amountMicroUsd, bonus: 0 }
  // BigInt: the product may exceed what a number holds exactly.
  const share = Number((BigInt(payment.bonus) * BigInt(amountMicroUsd)) / BigInt(payment.amount_micro_usd))
  return { amountMicroUsd, bonus: Math.min(payment.bonus, share) }
}

/** What of a payment was already lost when the refund with this key was requested. Micro-dollars. */
async function lostBefore(tx: Db, paymentId: string, key: string): Promise<number> {
  // Posting requires the payment's lock, so the ids of its transfers are in chronological order.
  const [row] = await tx.query<{ lost: number }>(
    `select coalesce(sum(case when account.id = debit_account then amount else -amount end), 0)::bigint as lost
     from transfer join account on account.id in (debit_account, credit_account)
     where payment_id = $1 and key ~ '^(refund|dispute|release-bonus):' and account.kind = 'dispute_losses'
       and transfer.id < (select min(id) from transfer where payment_id = $1 and starts_with(key, 'refund:asked:' || $2))`,
    [paymentId, key],
  )
  return row?.lost ?? 0
}

async function clawedBackSoFar(tx: Db, paymentId: string): Promise<{ before: ClawedBack; sources: Sources }> {
  const rows = await tx.query<{ kind: string; taken: number }>(
    `select account.kind, sum(case when account.id = debit_account then amount else -amount end)::bigint as taken
     from transfer join account on account.id in (debit_account, credit_account)
     where payment_id = $1 and key ~ '^(refund|dispute|release-bonus):' group by account.kind`,
    [paymentId],
  )
  const of = (kind: string) => rows.find(row => row.kind === kind)?.taken ?? 0
  return {
    before: { amountMicroUsd: -of('payments'), bonus: -of('promotions') },
    sources: { customer: of('customer'), unreleased: of('unreleased'), losses: of('dispute_losses') },
  }
}

/** Movements of one balance, oldest first. A call's minutes between two other movements are merged: there may be thousands. */
const movements = `
with own as (select id from account where user_id = $1),
side as (
  select transfer.id, key, call_id, payment_id, amount, other.kind as party
  from transfer join account other on other.id = debit_account where credit_account = (select id from own)
  union all
  select transfer.id, key, call_id, payment_id, -amount, other.kind
  from transfer join account other on other.id = credit_account where debit_account = (select id from own)
), told as (
  select id, amount, case
      when key like 'call:%' then 'usage'
      when key ~ '^(payment|release):' then 'purchase'
      when party = 'payments' then 'claim'
      when party in ('promotions', 'goodwill') or (party = 'adjustments' and amount > 0) then 'gift'
      else 'usage' end as kind,
    coalesce(call_id::text, payment_id::text, key) as about
  from side
), spans as (
  select *, count(*) filter (where kind <> 'usage') over (order by id) as span from told
)
select kind, about, sum(amount)::bigint as "amountMicroUsd" from spans group by kind, about, span order by min(id)`

/** The purchased and unused part of a user's balance, in micro-dollars. The user must be locked. */
async function unspentPaidOf(tx: Db, userId: string): Promise<number> {
  return unspentPaid(await tx.query<Movement>(movements, [userId]))
}
