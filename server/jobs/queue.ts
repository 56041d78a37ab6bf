import type { Db } from '../db/port.ts'
import type { Mail } from '../mail/port.ts'

/** Work that outlives a request. The key makes its effect happen once. */
export type Job = { readonly kind: 'mail'; readonly mail: Mail }

/** Queues a job in the caller's own transaction; a key that is queued already is left as it is. */
export async function enqueue(tx: Db, job: Job, runAt: Date): Promise<void> {
  await tx.query(
    `insert into job (kind, key, data, run_at) values ($1, $2, $3, $4) on conflict (key) do nothing`,
    [job.kind, `${job.kind}:${job.mail.key}`, JSON.stringify(job.mail), runAt],
  )
}
