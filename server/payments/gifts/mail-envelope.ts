import { redeemLink } from '#lib/money/gift-code.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { inLanguageOf } from '../../identity/users.ts'
import { queueEmail } from '../../mail/queue-email.ts'
import { lockPayment } from '../rows.ts'
import { envelopeEmail } from './gift-emails.ts'
import { namesOf, openGiftCode, readGift, unredeemedPart } from './gift-rows.ts'
import { giftStateOf } from './sent-gifts.ts'

/**
 * Mails the envelope of a booklet that still works. One that was refunded, is contested or whose buyer is blocked by now is not
 * mailed, and if it works again its buyer reads so. Idempotent.
 */
export async function mailEnvelope(services: Services, paymentId: string): Promise<void> {
  await services.db.transaction(tx => mailNow(tx, services, paymentId))
}

/** Before an account is deleted, which erases the texts and the code. The user must be locked. */
export async function mailWaitingEnvelopes(tx: Db, services: Services, userId: string): Promise<void> {
  const waiting = await tx.query<{ payment_id: string }>(
    `select payment_id from gift join job on job.key = 'gift_envelope:' || payment_id where user_id = $1 order by payment_id`,
    [userId],
  )
  for (const { payment_id: paymentId } of waiting) await mailNow(tx, services, paymentId)
}

async function mailNow(tx: Db, services: Services, paymentId: string): Promise<void> {
  if ((await lockPayment(tx, paymentId)) === undefined) return
  const gift = await readGift(tx, paymentId)
  const { recipient_email: to } = gift
  const code = openGiftCode(services, gift.code_sealed)
  const works = (await giftStateOf(tx, paymentId)) === 'ready'
  if (!works || to === null || code === null) {
    await tx.query('update gift set mailed = false where payment_id = $1 and redeemed_at is null', [
      paymentId,
    ])
    return
  }
  const amountMicroUsd = await unredeemedPart(tx, paymentId)
  const link = redeemLink(services.publicUrl, code)
  await inLanguageOf(tx, gift.user_id, () => {
    const template = envelopeEmail({ ...namesOf(gift), amountMicroUsd, code, link })
    return queueEmail(tx, `gift:${paymentId}`, to, template, services.clock.now())
  })
}
