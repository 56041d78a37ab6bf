import type { Refundable } from '#lib/rules/refunds.ts'
import type { Db } from '../../db/port.ts'
import { type Party, post } from '../ledger.ts'
import type { LockedPayment } from './rows.ts'

/** What was taken back of a payment, or is to be. Micro-dollars. */
interface Taken {
  /** Of what was paid. */
  readonly amount: number
  /** Of the bonus that came with it. */
  readonly bonus: number
}

/** Where it was taken from. */
interface Sources {
  readonly customer: number
  readonly unreleased: number
  readonly losses: number
}

/**
 * Brings the books to what the refunds and disputes of a paid payment come to now. Taken first is what waits for
 * review, then what is left of the balance, with the bonus in proportion; a balance never falls below zero, and what it
 * does not hold any more is our loss (`dispute_losses`). Given back (a refund failed, a dispute was won) is first what
 * was lost. What each side has borne thus depends on what happened, not on the order in which we heard of it.
 * @param cause begins the transfers' keys; one that stands for a change that was made makes nothing more
 * @param undoneKey of a refund that we asked for and that came to nothing: what was lost before it was asked for stays
 *   lost, so that its owner has what they would have had without asking
 */
export async function settleTakenBack(
  tx: Db,
  { user, payment }: LockedPayment,
  cause: string,
  at: Date,
  undoneKey?: string,
): Promise<void> {
  const target = await dueNow(tx, payment)
  const { before, sources } = await takenSoFar(tx, payment.id)
  const amount = target.amount - before.amount
  const bonus = target.bonus - before.bonus
  if (amount === 0 && bonus === 0) return
  const move = async (debit: Party, credit: Party, amountMicroUsd: number, suffix: string) => {
    const key = `${cause}${suffix}`
    if (amountMicroUsd > 0) await post(tx, { key, debit, credit, amountMicroUsd, paymentId: payment.id, at })
  }
  const account = user.account_id
  const waits = payment.released_at === null
  if (amount >= 0 && bonus >= 0) {
    const [row] = await tx.query<{ balance: number }>(
      'select balance from account where id = $1 for update',
      [account],
    )
    const held = waits ? Math.min(amount, payment.held - sources.unreleased) : 0
    const fromBalance = Math.min(row?.balance ?? 0, amount - held + bonus)
    const paid = Math.min(fromBalance, amount - held)
    await move('unreleased', 'payments', held, ':held')
    await move(account, 'payments', paid, '')
    await move('dispute_losses', 'payments', amount - held - paid, ':loss')
    await move(account, 'promotions', fromBalance - paid, ':bonus')
    await move('dispute_losses', 'promotions', bonus - (fromBalance - paid), ':bonus:loss')
    return
  }
  const [paidBack, bonusBack] = [-amount, -bonus]
  const spared = undoneKey === undefined ? 0 : await lostBefore(tx, payment.id, undoneKey)
  const toLosses = Math.min(Math.max(sources.losses - spared, 0), paidBack + bonusBack)
  // What was released meanwhile is the customer's.
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

/** What of a paid payment waits for review still: what was held, without what was taken back of it. Micro-dollars. */
export async function waitingPart(tx: Db, payment: LockedPayment['payment']): Promise<number> {
  if (payment.released_at !== null) return 0
  return payment.held - (await takenSoFar(tx, payment.id)).sources.unreleased
}

/** A paid payment in the terms of the rule that says how much of it is unused. @param balance micro-dollars */
export async function refundableOf(
  tx: Db,
  payment: LockedPayment['payment'],
  balance: number,
): Promise<Refundable> {
  const { before, sources } = await takenSoFar(tx, payment.id)
  const waits = payment.held > 0 && payment.released_at === null
  return {
    amount: payment.amount,
    bonus: waits ? 0 : payment.bonus,
    takenBack: before.amount,
    bonusTakenBack: before.bonus,
    waiting: waits ? payment.held - sources.unreleased : 0,
    balance,
  }
}

/** What its refunds and disputes come to, and the part of the bonus that goes with it, as far as it was given. */
async function dueNow(tx: Db, payment: LockedPayment['payment']): Promise<Taken> {
  const [row] = await tx.query<{ amount: number }>(
    `select (select coalesce(sum(amount), 0) from refund where payment_id = $1 and state <> 'failed')::bigint
          + (select coalesce(sum(amount), 0) from dispute where payment_id = $1 and state <> 'won')::bigint as amount`,
    [payment.id],
  )
  const amount = row?.amount ?? 0
  if (payment.held > 0 && payment.released_at === null) return { amount, bonus: 0 }
  // Whole micro-dollars, in integers that may be beyond what a number holds exactly.
  const share = Number((BigInt(payment.bonus) * BigInt(amount)) / BigInt(payment.amount))
  return { amount, bonus: Math.min(payment.bonus, share) }
}

/** What of a payment had been lost when a refund was asked for under this key. Micro-dollars. */
async function lostBefore(tx: Db, paymentId: string, key: string): Promise<number> {
  // Whoever posts for a payment holds it locked, so the transfers' numbers are in the order of time.
  const [row] = await tx.query<{ lost: number }>(
    `select coalesce(sum(case when account.id = debit_account then amount else -amount end), 0)::bigint as lost
     from transfer join account on account.id in (debit_account, credit_account)
     where payment_id = $1 and key ~ '^(refund|dispute|release-bonus):' and account.kind = 'dispute_losses'
       and transfer.id < (select min(id) from transfer where payment_id = $1 and starts_with(key, 'refund:asked:' || $2))`,
    [paymentId, key],
  )
  return row?.lost ?? 0
}

async function takenSoFar(tx: Db, paymentId: string): Promise<{ before: Taken; sources: Sources }> {
  const rows = await tx.query<{ kind: string; taken: number }>(
    `select account.kind, sum(case when account.id = debit_account then amount else -amount end)::bigint as taken
     from transfer join account on account.id in (debit_account, credit_account)
     where payment_id = $1 and key ~ '^(refund|dispute|release-bonus):' group by account.kind`,
    [paymentId],
  )
  const of = (kind: string) => rows.find(row => row.kind === kind)?.taken ?? 0
  return {
    before: { amount: -of('payments'), bonus: -of('promotions') },
    sources: { customer: of('customer'), unreleased: of('unreleased'), losses: of('dispute_losses') },
  }
}
