import type { Db } from '../../db/port.ts'
import { failedTopUpLetter } from '../../mail/auto-top-up-letters.ts'
import type { CardRefusal } from '../../payments/port.ts'
import type { Services } from '../context.ts'
import { queueLetter } from '../queue-letter.ts'
import { autoTopUpNotice } from './auto-top-up-words.ts'
import type { LockedPayment } from './rows.ts'

interface ChargedCard {
  readonly brand: string
  readonly last4: string
}

/**
 * A charge of a kept card was refused: it has ended, counts, and its owner is written to. The second in a row pauses auto
 * top-up, and a card that is gone ends it. One that has ended before stays as it is, so that the provider's answer and
 * its event count once.
 * @returns what the user is to be told at once, if there is something
 */
export async function endFailedTopUp(
  tx: Db,
  services: Services,
  { user, payment }: LockedPayment,
  refusal: CardRefusal,
): Promise<string | undefined> {
  if (payment.state !== 'open') return undefined
  await tx.query(`update payment set state = 'failed', failure = $2 where id = $1`, [payment.id, refusal])
  const card = await findChargedCard(tx, payment.id)
  // Another card took its place meanwhile: of that one nothing is known.
  if (card === undefined) return undefined
  const failures = user.auto_topup_failures + 1
  const gone = refusal === 'card_gone'
  if (gone && !user.auto_topup_enabled) {
    // Its owner is taking the card away, or had switched auto top-up off: there is nothing to tell them.
    await tx.query('update app_user set has_saved_payment_method = false where id = $1', [user.id])
    return undefined
  }
  const paused = gone || failures >= services.paymentPolicy.autoTopUp.failuresUntilPause
  const notice = autoTopUpNotice(refusal, paused)
  await tx.query(
    `update app_user set auto_topup_failures = $2, auto_topup_trouble = $3,
       auto_topup_enabled = auto_topup_enabled and not $4, has_saved_payment_method = has_saved_payment_method and not $5
     where id = $1`,
    [user.id, failures, notice, paused, gone],
  )
  const { publicUrl, clock } = services
  const letter = failedTopUpLetter(publicUrl, {
    amount: payment.amount,
    card,
    balance: user.balance,
    reason: refusal,
    paused,
  })
  await queueLetter(tx, `auto-topup-failed:${payment.id}`, user.email, letter, clock.now())
  return notice
}

/**
 * A charge is not tried any more, and as far as the provider knows it was not made. Should it turn out later that it was,
 * its event is taken as any other's, and the daily reconciliation asks for it.
 * @param tell whether its owner waits for it still
 * @returns what the user is to be told at once, if there is something
 */
export async function giveUpTopUp(
  tx: Db,
  services: Services,
  { user, payment }: LockedPayment,
  tell: boolean,
): Promise<string | undefined> {
  if (payment.state !== 'open') return undefined
  await tx.query(`update payment set state = 'expired' where id = $1`, [payment.id])
  const card = tell ? await findChargedCard(tx, payment.id) : undefined
  if (card === undefined) return undefined
  const { publicUrl, clock } = services
  const letter = failedTopUpLetter(publicUrl, {
    amount: payment.amount,
    card,
    balance: user.balance,
    reason: 'unreachable',
    paused: false,
  })
  await queueLetter(tx, `auto-topup-failed:${payment.id}`, user.email, letter, clock.now())
  return autoTopUpNotice('unreachable')
}

/** The card that a charge is made to, if it is the one that is kept still. */
async function findChargedCard(tx: Db, paymentId: string): Promise<ChargedCard | undefined> {
  const [card] = await tx.query<ChargedCard>(
    `select brand, last4 from saved_card join auto_topup_charge using (customer_ref, method_ref)
     where payment_id = $1`,
    [paymentId],
  )
  return card
}
