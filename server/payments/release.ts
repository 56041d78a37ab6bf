import { failure, type Result, success } from '#lib/result.ts'
import type { Services } from '../context.ts'
import { post } from '../ledger/ledger.ts'
import { queueEmailTo } from '../mail/queue-email.ts'
import { audit } from '../observability/audit.ts'
import { announceBalance } from '../realtime/announce-balance.ts'
import { scheduleReward } from '../referrals/referrals.ts'
import { lockLiveCalls, raiseLimits, sendRaisedLimitsOf } from '../spending/duration-limits.ts'
import { releaseEmail } from './emails/release-email.ts'
import { releaseGift } from './gifts/issue-gift.ts'
import { settleClawback, waitingPart } from './refunds/clawback.ts'
import { clearCardPayer } from './review.ts'
import { lockPayment } from './rows.ts'

/**
 * Releases the held part of a payment with its bonus, once, less what refunds and disputes have taken. E-mails the
 * user.
 * @returns micro-dollars added to the balance, or to the booklet
 */
export async function releasePayment(
  services: Services,
  paymentId: string,
  { actor, reason }: { readonly actor: string; readonly reason: string },
): Promise<Result<number, 'unknown_payment' | 'nothing_held'>> {
  const at = services.clock.now()
  const released = await services.db.transaction(async tx => {
    const locked = await lockPayment(tx, paymentId)
    if (locked === undefined) return failure('unknown_payment')
    const { user, payment } = locked
    if (payment.state !== 'paid' || payment.held === 0 || payment.released_at !== null)
      return failure('nothing_held')
    await lockLiveCalls(tx, user.id)
    const waiting = await waitingPart(tx, payment)
    const isGift = payment.kind === 'gift'
    const credit = isGift ? 'gifts' : user.account_id
    const transfer = { credit, paymentId, at } as const
    if (waiting > 0) {
      await post(tx, {
        ...transfer,
        key: `release:${paymentId}`,
        debit: 'unreleased',
        amountMicroUsd: waiting,
      })
    }
    if (payment.bonus > 0) {
      const key = `bonus:${paymentId}`
      await post(tx, { ...transfer, key, debit: 'promotions', amountMicroUsd: payment.bonus })
    }
    await tx.query('update payment set released_at = $2 where id = $1', [paymentId, at])
    const open = { user, payment: { ...payment, released_at: at } }
    await settleClawback(tx, open, `release-bonus:${paymentId}`, at)
    await clearCardPayer(tx, paymentId)
    if (isGift) await releaseGift(tx, services, open)
    else await scheduleReward(tx, payment, at)
    await audit(tx, {
      at,
      actor,
      action: 'release',
      subject: user.id,
      detail: { paymentId, waiting, reason },
    })
    await raiseLimits(tx, services, user.id)
    const [after] = await tx.query<{ balance: number }>('select balance from account where id = $1', [
      user.account_id,
    ])
    const grown = (after?.balance ?? 0) - user.balance
    if (grown > 0) {
      const template = () => releaseEmail(services.publicUrl, grown)
      await queueEmailTo(tx, `release:${paymentId}`, user, template, at)
    }
    return success({ userId: user.id, grown: isGift ? waiting : grown })
  })
  if (!released.ok) return released
  const { userId, grown } = released.value
  await Promise.all([announceBalance(services, userId), sendRaisedLimitsOf(services, userId)]).catch(error =>
    services.log.warn({ err: error }, 'could not publish the balance after a release'),
  )
  return success(grown)
}
