import type { Services } from '../context.ts'
import { applyPaymentUpdate } from './receive.ts'

/** A checkout still unconfirmed by the provider after this time has no page to pay at. */
const unopenedMs = 2 * 60_000

/** Closes open checkouts before a deletion. One being paid, or all if the provider is unreachable, stay open. */
export async function closeCheckouts(services: Services, userId: string): Promise<void> {
  const { db, clock, payments, log } = services
  await db.query(
    `update payment set state = 'expired' where user_id = $1 and state = 'open' and kind = 'checkout'
       and checkout_ref is null and created_at < $2`,
    [userId, new Date(clock.now().getTime() - unopenedMs)],
  )
  const open = await db.query<{ checkout_ref: string }>(
    `select checkout_ref from payment where user_id = $1 and state = 'open' and kind = 'checkout'
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
