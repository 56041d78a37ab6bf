import type { Refundable } from '#lib/money/refunds.ts'
import type { Db } from '../../db/port.ts'
import { type Party, post } from '../../ledger/ledger.ts'
import { settleGiftClawback } from '../gifts/gift-clawback.ts'
import { unredeemedPart } from '../gifts/gift-rows.ts'
import type { LockedPayment } from '../rows.ts'
import { clawedBackSoFar, dueNow, lostBefore } from './clawed-back.ts'
import { type Movement, unspentPaid } from './paid-credits.ts'

/**
 * Brings the ledger in line with a payment's refunds and disputes. Takes first what waits for review, then what is left
 * of the balance, with the bonus in proportion; the rest is our loss (`dispute_losses`). Money that returns covers
 * losses first, so the order of events does not matter.
 * @param cause prefix of the transfers' keys; a repeated cause changes nothing
 * @param undoneKey key of a failed refund of ours: losses from before it stay losses, as if it had not been requested
 */
export async function settleClawback(
  tx: Db,
  locked: LockedPayment,
  cause: string,
  at: Date,
  undoneKey?: string,
): Promise<void> {
  const { user, payment } = locked
  if (payment.kind === 'gift') return settleGiftClawback(tx, locked, cause, at, undoneKey)
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
  const held = waits ? payment.held - sources.unreleased : 0
  if (payment.kind === 'gift') {
    // What nobody has redeemed is certainly unused, as what waits for a review is.
    const waiting = held + (await unredeemedPart(tx, payment.id))
    const { amount_micro_usd: amountMicroUsd } = payment
    const clawedBack = before.amountMicroUsd
    return { amountMicroUsd, bonus: 0, clawedBack, bonusClawedBack: 0, waiting, balance: 0, unspent: 0 }
  }
  return {
    amountMicroUsd: payment.amount_micro_usd,
    bonus: waits ? 0 : payment.bonus,
    clawedBack: before.amountMicroUsd,
    bonusClawedBack: before.bonus,
    waiting: held,
    balance: user.balance,
    unspent: await unspentPaidOf(tx, user.id),
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
      when party in ('promotions', 'goodwill', 'gifts') or (party = 'adjustments' and amount > 0) then 'gift'
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
