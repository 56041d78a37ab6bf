import { redeemLink } from '#lib/money/gift-code.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { inLanguageOf } from '../../identity/users.ts'
import { reportSpent, reserve } from '../../limits/reserve.ts'
import { accountSubject, mailboxSubject } from '../../limits/subjects.ts'
import { queueEmail, queueEmailTo } from '../../mail/queue-email.ts'
import type { LockedPayment } from '../rows.ts'
import { envelopeEmail, giftReadyEmail } from './gift-emails.ts'
import { type GiftRow, openGiftCode, readGift, unredeemedPart } from './gift-rows.ts'

/** Makes a paid booklet work, once, and mails its envelope. Call at the end of the transaction: it locks budgets. */
export async function issueGift(tx: Db, services: Services, { payment }: LockedPayment): Promise<void> {
  const gift = await readGift(tx, payment.id)
  const amountMicroUsd = await unredeemedPart(tx, payment.id)
  // Refunded or disputed before it was paid or released.
  if (gift.issued_at !== null || amountMicroUsd === 0) return
  const mailed = gift.recipient_email === null ? null : await mailEnvelope(tx, services, gift, amountMicroUsd)
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

/** Within a budget, because the buyer chooses the address. @returns whether the envelope is mailed */
async function mailEnvelope(
  tx: Db,
  services: Services,
  gift: GiftRow,
  amountMicroUsd: number,
): Promise<boolean> {
  const code = openGiftCode(services, gift.code_sealed)
  const { recipient_email: to, payment_id: paymentId } = gift
  if (to === null || code === null) return false
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
  await inLanguageOf(tx, gift.user_id, () => {
    const link = redeemLink(services.publicUrl, code)
    const template = envelopeEmail({ ...namesOf(gift), amountMicroUsd, code, link })
    return queueEmail(tx, `gift:${paymentId}`, to, template, services.clock.now())
  })
  return true
}

export function namesOf(gift: Pick<GiftRow, 'from_name' | 'to_name' | 'message'>) {
  return { fromName: gift.from_name ?? '', toName: gift.to_name ?? '', message: gift.message ?? '' }
}
