import { minuteMs } from '#lib/time.ts'
import type { Services } from '../context.ts'
import { checkoutLifeMs } from './checkout.ts'
import { applyPaymentUpdate } from './receive.ts'

/** A checkout is first looked up when its event is this late. */
export const reconcileAfterMs = 2 * minuteMs
const batch = 20

/**
 * Looks up checkouts without a final event, ever more rarely, and applies the answer like an event. One whose opening
 * was never confirmed, so that nobody could pay it, expires. @returns how many the provider had an answer for
 */
export async function reconcileCheckouts(services: Services): Promise<number> {
  const { db, clock, payments, log } = services
  const now = clock.now()
  await db.query(
    `update payment set state = 'expired'
     where state = 'open' and kind in ('checkout', 'gift') and checkout_ref is null and created_at < $1`,
    [new Date(now.getTime() - 2 * checkoutLifeMs)],
  )
  const due = await db.query<{ id: string; checkout_ref: string }>(
    `update payment set looked_up_at = $1 where id in (
       select id from payment where state = 'open' and provider = $2 and checkout_ref is not null
         and coalesce(looked_up_at, created_at)
           + greatest($3::int * interval '1 millisecond', coalesce(looked_up_at, created_at) - created_at) <= $1
       order by created_at limit ${batch} for update skip locked)
     returning id, checkout_ref`,
    [now, payments.provider, reconcileAfterMs],
  )
  let settled = 0
  for (const { id, checkout_ref } of due) {
    try {
      const known = await payments.lookUp(checkout_ref)
      if (!known.ok) log.warn({ paymentId: id, code: known.code }, 'a checkout could not be looked up')
      else if (known.value !== null && (await applyPaymentUpdate(services, known.value)).ok) settled += 1
    } catch (error) {
      log.error({ err: error, paymentId: id }, 'reconciling a checkout failed')
    }
  }
  return settled
}
