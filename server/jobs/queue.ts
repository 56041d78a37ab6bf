import type { Db } from '../db/port.ts'
import type { Mail } from '../mail/port.ts'
import type { KeptCard } from '../payment-provider/port.ts'

/** Work that outlives a request. The key makes its effect happen once, also after an e-mail was sent: the key is kept. */
export type Job =
  | { readonly kind: 'mail'; readonly mail: Mail }
  /** Makes the payment provider delete a card. Idempotent. */
  | { readonly kind: 'forget_card'; readonly card: KeptCard }
  /** Makes the carrier delete a caller ID that no user has any more. Idempotent. */
  | { readonly kind: 'forget_number'; readonly number: string }
  /** Hangs up a call that is settled in our database but still live at the carrier. Idempotent. */
  | { readonly kind: 'hang_up'; readonly callId: string }
  /** The hour since a booklet was paid has passed: its envelope is mailed if it still works. Idempotent. */
  | { readonly kind: 'gift_envelope'; readonly paymentId: string }
  /** A payment's refund window has passed: the referrer may get a reward. Idempotent. */
  | { readonly kind: 'referral_reward'; readonly paymentId: string }

/** Suffix of a deleted account's address, to which no mail can be sent (RFC 2606). */
export const nobody = '@invalid'

/** Queues a job in the caller's transaction, unless its key is queued or it is an e-mail to a deleted account. */
export async function enqueue(tx: Db, job: Job, runAt: Date): Promise<void> {
  if (job.kind === 'mail' && job.mail.to.endsWith(nobody)) return
  const [key, data] = contentOf(job)
  await tx.query(
    `insert into job (kind, key, data, run_at) values ($1, $2, $3, $4) on conflict (key) do nothing`,
    [job.kind, `${job.kind}:${key}`, JSON.stringify(data), runAt],
  )
}

function contentOf(job: Job): readonly [key: string, data: Mail | KeptCard | string] {
  switch (job.kind) {
    case 'mail':
      return [job.mail.key, job.mail]
    case 'forget_card':
      return [job.card.methodRef, job.card]
    case 'forget_number':
      return [job.number, job.number]
    case 'hang_up':
      return [job.callId, job.callId]
    case 'gift_envelope':
    case 'referral_reward':
      return [job.paymentId, job.paymentId]
  }
}
