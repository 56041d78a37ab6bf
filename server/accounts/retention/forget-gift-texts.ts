import { dayMs } from '#lib/time.ts'
import type { Services } from '../../context.ts'
import { isolated } from './isolated.ts'

/** Days after which a booklet forgets where its envelope went, redeemed or not. */
const addressDays = 90
/** Days after which an order that was never paid forgets its texts. */
const unpaidDays = 30

/** Forgets what buyers wrote about others once it is no longer needed (ADR-65). */
export async function forgetGiftTexts(services: Pick<Services, 'db' | 'clock' | 'log'>): Promise<void> {
  const now = services.clock.now().getTime()
  await isolated(services, { table: 'gift' }, async () => {
    await services.db.query(
      'update gift set recipient_email = null where recipient_email is not null and created_at < $1',
      [new Date(now - addressDays * dayMs)],
    )
    await services.db.query(
      `update gift set from_name = null, to_name = null, message = null, recipient_email = null, code_sealed = null
       from payment where payment.id = payment_id and payment.state <> 'paid' and code_sealed is not null
         and gift.created_at < $1`,
      [new Date(now - unpaidDays * dayMs)],
    )
  })
}
