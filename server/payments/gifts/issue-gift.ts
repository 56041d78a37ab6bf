import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { enqueue } from '../../jobs/queue.ts'
import { reportSpent, reserve } from '../../limits/reserve.ts'
import { accountSubject, mailboxSubject } from '../../limits/subjects.ts'
import { queueEmailTo } from '../../mail/queue-email.ts'
import type { LockedPayment } from '../rows.ts'
import { giftReadyEmail } from './gift-emails.ts'
import { type GiftRow, readGift, unredeemedPart } from './gift-rows.ts'

/** A payment with a stolen card, and a refund at once, are often known within an hour. */
const envelopeDelayMs = 3_600_000

/**
 * Makes a paid booklet work, once, and has its envelope mailed an hour later (`mail-envelope.ts`). Call at the end of the
 * transaction: it locks budgets.
 */
export async function issueGift(tx: Db, services: Services, { payment }: LockedPayment): Promise<void> {
  const gift = await readGift(tx, payment.id)
  const amountMicroUsd = await unredeemedPart(tx, payment.id)
  // Refunded or disputed before it was paid or released.
  if (gift.issued_at !== null || amountMicroUsd === 0) return
  const mailed = gift.recipient_email === null ? null : await scheduleEnvelope(tx, services, gift)
  await tx.query('update gift set issued_at = $2, mailed = $3 where payment_id = $1', [
    payment.id,
    services.clock.now(),
    mailed,
  ])
}

/** Issues a booklet after its review, and writes to its buyer. */
export async function releaseGift(tx: Db, services: Services, locked: LockedPayment): Promise<void> {
  const { user, payment } = locked
  const gift = await readGift(tx, payment.id)
  const amountMicroUsd = await unredeemedPart(tx, payment.id)
  if (amountMicroUsd > 0) {
    const template = () => giftReadyEmail(services.publicUrl, gift, amountMicroUsd)
    await queueEmailTo(tx, `release:${payment.id}`, user, template, services.clock.now())
  }
  await issueGift(tx, services, locked)
}

/** Within a budget, because the buyer chooses the address. @returns whether the envelope will be mailed */
async function scheduleEnvelope(tx: Db, services: Services, gift: GiftRow): Promise<boolean> {
  const { recipient_email: to, payment_id: paymentId } = gift
  if (to === null) return false
  const subjects = {
    account: accountSubject(services, `${gift.user_id} gift`),
    mailbox: mailboxSubject(services, to, 'gift'),
  }
  const reserved = await reserve(tx, services, [{ kind: 'gift_mail', subjects, costMicroUsd: 0 }])
  if (!reserved.ok) {
    // A rollback makes this report one too many, which is harmless.
    reportSpent(services, reserved.spent)
    return false
  }
  const at = new Date(services.clock.now().getTime() + envelopeDelayMs)
  await enqueue(tx, { kind: 'gift_envelope', paymentId }, at)
  return true
}
