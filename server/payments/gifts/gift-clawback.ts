import type { Db } from '../../db/port.ts'
import { type Party, post } from '../../ledger/ledger.ts'
import { clawedBackSoFar, dueNow, lostBefore } from '../refunds/clawed-back.ts'
import type { LockedPayment } from '../rows.ts'
import { readGift, unredeemedPart } from './gift-rows.ts'

/**
 * `settleClawback` for a booklet (ADR-65). Takes first what waits for review, then what nobody has redeemed, then what
 * is left of the buyer's balance; the rest is our loss. The redeemer's balance is never touched. What returns makes the
 * booklet whole again, or goes to the buyer once it is redeemed.
 */
export async function settleGiftClawback(
  tx: Db,
  { user, payment }: LockedPayment,
  cause: string,
  at: Date,
  undoneKey?: string,
): Promise<void> {
  const target = await dueNow(tx, payment)
  const { before, sources } = await clawedBackSoFar(tx, payment.id)
  const amountMicroUsd = target.amountMicroUsd - before.amountMicroUsd
  if (amountMicroUsd === 0) return
  const move = async (debit: Party, credit: Party, amountMicroUsd: number, suffix: string) => {
    const key = `${cause}${suffix}`
    if (amountMicroUsd > 0) await post(tx, { key, debit, credit, amountMicroUsd, paymentId: payment.id, at })
  }
  const buyer = user.account_id
  const waits = payment.released_at === null
  if (amountMicroUsd > 0) {
    const [row] = await tx.query<{ balance: number }>(
      'select balance from account where id = $1 for no key update',
      [buyer],
    )
    const held = waits ? Math.min(amountMicroUsd, payment.held - sources.unreleased) : 0
    const unredeemed = Math.min(amountMicroUsd - held, await unredeemedPart(tx, payment.id))
    const ofBuyer = Math.min(row?.balance ?? 0, amountMicroUsd - held - unredeemed)
    await move('unreleased', 'payments', held, ':held')
    await move('gifts', 'payments', unredeemed, ':gift')
    await move(buyer, 'payments', ofBuyer, '')
    await move('dispute_losses', 'payments', amountMicroUsd - held - unredeemed - ofBuyer, ':loss')
    return
  }
  const back = -amountMicroUsd
  const spared = undoneKey === undefined ? 0 : await lostBefore(tx, payment.id, undoneKey)
  const toLosses = Math.min(Math.max(sources.losses - spared, 0), back)
  // What was released in the meantime belongs to the booklet.
  const notHeld = sources.customer + sources.gifts + (waits ? 0 : sources.unreleased)
  const toOwners = Math.min(Math.max(notHeld, 0), back - toLosses)
  const isRedeemed = (await readGift(tx, payment.id)).redeemed_at !== null
  const toBuyer = isRedeemed ? toOwners : Math.min(Math.max(sources.customer, 0), toOwners)
  await move('payments', 'dispute_losses', toLosses, ':loss')
  await move('payments', buyer, toBuyer, '')
  await move('payments', 'gifts', toOwners - toBuyer, ':gift')
  await move('payments', 'unreleased', back - toLosses - toOwners, ':held')
}
