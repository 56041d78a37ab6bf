import type { Db } from '../db/port.ts'
import type { Mail } from '../mail/port.ts'
import type { KeptCard } from '../payments/port.ts'

/** Work that outlives a request. The key makes its effect happen once, also after a mail was sent. */
export type Job =
  | { readonly kind: 'mail'; readonly mail: Mail }
  /** The payment provider is to forget a card, which may be done twice. */
  | { readonly kind: 'forget_card'; readonly card: KeptCard }
  /** The telephone network is to forget a caller ID that nobody has any more. May be done twice. */
  | { readonly kind: 'forget_number'; readonly number: string }
  /** A call that the books hold for ended is to be hung up where it goes on. May be done twice. */
  | { readonly kind: 'hang_up'; readonly callId: string }

/** What the address of a deleted account ends in: a name that no mail can be sent to (RFC 2606). */
export const nobody = '@invalid'

/**
 * Queues a job in the caller's own transaction; a key that is queued already is left as it is. A mail to somebody who has
 * deleted the account is not queued: there is nobody to tell.
 */
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
  }
}
