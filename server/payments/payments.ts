import { failure, type Result, success } from '#lib/result.ts'
import { minuteMs } from '#lib/time.ts'
import type { Services } from '../context.ts'
import type { Db } from '../db/port.ts'
import { lockUser } from '../identity/users.ts'
import type { KeptCard, ProviderTrouble } from '../payment-provider/port.ts'
import { setAutoTopUp } from './auto-top-up/auto-top-up-toggle.ts'
import { applyPaymentUpdate } from './receive.ts'

export { mailWaitingEnvelopes } from './gifts/mail-envelope.ts'
export { type UnredeemedGift, unredeemedGifts } from './gifts/sent-gifts.ts'

/** A checkout still unconfirmed by the provider after this time has no page to pay at. */
const unopenedMs = 2 * minuteMs

/**
 * Deletes a user's saved card here and at the provider. Auto top-up goes off first, so that no new charge begins; one
 * already at the provider runs to its end. The provider deletes the card before we do, so that we still know its id for
 * retries.
 * @returns `provider_unavailable`: auto top-up is off, but the card is still saved
 */
export async function removeSavedCard(
  services: Services,
  userId: string,
): Promise<Result<undefined, ProviderTrouble>> {
  await setAutoTopUp(services, userId, false)
  const card = await findCard(services.db, userId)
  if (card === undefined) return success(undefined)
  // A card at another, earlier provider is never charged.
  if (card.provider === services.payments.provider) {
    const gone = await services.payments.forgetCard(card)
    if (!gone.ok) return failure(gone.code)
  }
  await services.db.transaction(async tx => {
    await lockUser(tx, userId)
    // Only this card: a purchase may have saved another one in the meantime.
    const released = await tx.query(
      'delete from saved_card where user_id = $1 and customer_ref = $2 and method_ref = $3 returning user_id',
      [userId, card.customerRef, card.methodRef],
    )
    if (released.length === 0) return
    await tx.query(
      `update app_user set has_saved_payment_method = false, auto_topup_enabled = false, auto_topup_failures = 0,
         auto_topup_trouble = null where id = $1`,
      [userId],
    )
  })
  return success(undefined)
}

async function findCard(db: Db, userId: string): Promise<(KeptCard & { provider: string }) | undefined> {
  const [row] = await db.query<{ provider: string; customer_ref: string; method_ref: string }>(
    'select provider, customer_ref, method_ref from saved_card where user_id = $1',
    [userId],
  )
  return row && { provider: row.provider, customerRef: row.customer_ref, methodRef: row.method_ref }
}

/** Closes open checkouts before a deletion. One being paid, or all if the provider is unreachable, stay open. */
export async function closeCheckouts(services: Services, userId: string): Promise<void> {
  const { db, clock, payments, log } = services
  await db.query(
    `update payment set state = 'expired' where user_id = $1 and state = 'open' and kind in ('checkout', 'gift')
       and checkout_ref is null and created_at < $2`,
    [userId, new Date(clock.now().getTime() - unopenedMs)],
  )
  const open = await db.query<{ checkout_ref: string }>(
    `select checkout_ref from payment where user_id = $1 and state = 'open' and kind in ('checkout', 'gift')
       and provider = $2 and checkout_ref is not null`,
    [userId, payments.provider],
  )
  for (const { checkout_ref: ref } of open) {
    const closed = await payments.closeCheckout(ref)
    const known = closed.ok ? await payments.lookUp(ref) : closed
    if (!known.ok)
      log.warn({ code: known.code }, 'could not close a checkout of an account that is being deleted')
    else if (known.value != null) await applyPaymentUpdate(services, known.value)
  }
}
