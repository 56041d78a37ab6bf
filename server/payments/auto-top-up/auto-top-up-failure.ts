import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { autoTopUpNotice, troubleCode } from '../../identity/top-up-trouble.ts'
import { inLanguage } from '../../languages/languages.ts'
import { queueEmailTo } from '../../mail/queue-email.ts'
import type { CardRejection } from '../../payment-provider/port.ts'
import { failedTopUpEmail } from '../emails/auto-top-up-emails.ts'
import type { LockedPayment } from '../rows.ts'

interface ChargedCard {
  readonly brand: string
  readonly last4: string
}

/**
 * Ends a rejected charge, counts the failure and e-mails the owner. The second failure in a row pauses auto top-up; a
 * removed card turns it off. The provider's answer and its event count once.
 * @returns a message for the user's pages, if any
 */
export async function endFailedTopUp(
  tx: Db,
  services: Services,
  { user, payment }: LockedPayment,
  rejection: CardRejection,
): Promise<string | undefined> {
  if (payment.state !== 'open') return undefined
  await tx.query(`update payment set state = 'failed', failure = $2 where id = $1`, [payment.id, rejection])
  const card = await findChargedCard(tx, payment.id)
  // The card was replaced in the meantime; nothing is known about the new one.
  if (card === undefined) return undefined
  const failures = user.auto_topup_failures + 1
  const gone = rejection === 'card_gone'
  if (gone && !user.auto_topup_enabled) {
    // The owner is removing the card or has turned auto top-up off: no notice needed.
    await tx.query('update app_user set has_saved_payment_method = false where id = $1', [user.id])
    return undefined
  }
  const paused = gone || failures >= services.paymentPolicy.autoTopUp.failuresUntilPause
  const notice = inLanguage(user.language, () => autoTopUpNotice(rejection, paused))
  await tx.query(
    `update app_user set auto_topup_failures = $2, auto_topup_trouble = $3,
       auto_topup_enabled = auto_topup_enabled and not $4, has_saved_payment_method = has_saved_payment_method and not $5
     where id = $1`,
    [user.id, failures, troubleCode(rejection, paused), paused, gone],
  )
  const { publicUrl, clock } = services
  const failed = {
    amountMicroUsd: payment.amount_micro_usd,
    card,
    balance: user.balance,
    reason: rejection,
    paused,
  }
  const template = () => failedTopUpEmail(publicUrl, failed)
  await queueEmailTo(tx, `auto-topup-failed:${payment.id}`, user, template, clock.now())
  return notice
}

/**
 * Gives up a charge that the provider has not made, as far as it knows. If it was made after all, its event is applied
 * like any other, and the daily reconciliation asks for it.
 * @param notify whether the owner still expects the top-up
 * @returns a message for the user's pages, if any
 */
export async function giveUpTopUp(
  tx: Db,
  services: Services,
  { user, payment }: LockedPayment,
  notify: boolean,
): Promise<string | undefined> {
  if (payment.state !== 'open') return undefined
  await tx.query(`update payment set state = 'expired' where id = $1`, [payment.id])
  const card = notify ? await findChargedCard(tx, payment.id) : undefined
  if (card === undefined) return undefined
  const { publicUrl, clock } = services
  const failed = {
    amountMicroUsd: payment.amount_micro_usd,
    card,
    balance: user.balance,
    reason: 'unreachable',
    paused: false,
  } as const
  const template = () => failedTopUpEmail(publicUrl, failed)
  await queueEmailTo(tx, `auto-topup-failed:${payment.id}`, user, template, clock.now())
  return inLanguage(user.language, () => autoTopUpNotice('unreachable'))
}

async function findChargedCard(tx: Db, paymentId: string): Promise<ChargedCard | undefined> {
  const [card] = await tx.query<ChargedCard>(
    `select brand, last4 from saved_card join auto_topup_charge using (customer_ref, method_ref)
     where payment_id = $1`,
    [paymentId],
  )
  return card
}
