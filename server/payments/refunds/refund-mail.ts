import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { queueEmailTo } from '../../mail/queue-email.ts'
import { refundEmail } from '../emails/refund-email.ts'
import type { LockedPayment } from '../rows.ts'

/** E-mails the user who requested a refund, once per outcome. */
export async function mailOutcome(
  tx: Db,
  { publicUrl, clock }: Services,
  { user, payment }: LockedPayment,
  ref: string,
): Promise<void> {
  const [refund] = await tx.query<{ key: string; amountMicroUsd: number; state: 'succeeded' | 'failed' }>(
    `select key, amount as "amountMicroUsd", state from refund
     where ref = $1 and requested_by = 'user' and state <> 'pending'`,
    [ref],
  )
  if (refund === undefined) return
  const template = () => refundEmail(publicUrl, payment, refund)
  await queueEmailTo(tx, `refund:${refund.key}:${refund.state}`, user, template, clock.now())
}
