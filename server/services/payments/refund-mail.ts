import type { Db } from '../../db/port.ts'
import { enqueue } from '../../jobs/queue.ts'
import { letterHtml, letterText } from '../../mail/layout.ts'
import { refundLetter } from '../../mail/refund-letter.ts'
import type { Services } from '../context.ts'
import type { LockedPayment } from './rows.ts'

/** Writes to the user who asked for a refund, once for each way in which it may end. */
export async function mailOutcome(
  tx: Db,
  { publicUrl, clock }: Services,
  { user, payment }: LockedPayment,
  ref: string,
): Promise<void> {
  const [refund] = await tx.query<{ key: string; amount: number; state: 'succeeded' | 'failed' }>(
    `select key, amount, state from refund where ref = $1 and requested_by = 'user' and state <> 'pending'`,
    [ref],
  )
  if (refund === undefined) return
  const letter = refundLetter(publicUrl, payment, refund)
  const mail = {
    key: `refund:${refund.key}:${refund.state}`,
    to: user.email,
    replyTo: letter.replyTo,
    subject: letter.subject,
    text: letterText(letter),
    html: letterHtml(letter),
  }
  await enqueue(tx, { kind: 'mail', mail }, clock.now())
}
