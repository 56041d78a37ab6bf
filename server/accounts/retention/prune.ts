import { dayMs } from '#lib/time.ts'
import { cardPayerDays } from '../../config/policy.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { isolated } from './isolated.ts'

const batch = 1000

interface Outlived {
  readonly table: string
  /** Key columns, separated by commas. */
  readonly key: string
  /** `$1` is the time `days` ago. */
  readonly when: string
  readonly days: number
}

const outlived: readonly Outlived[] = [
  // A session lasts 30 days; until then, reuse of an old token reveals theft.
  { table: 'refresh_token', key: 'hash', when: 'expires_at < $1', days: 30 },
  // Known devices decide whether a sign-in is from a new one.
  {
    table: 'session',
    key: 'id',
    when: 'last_seen_at < $1 and not exists (select 1 from refresh_token where family = session.id)',
    days: 400,
  },
  { table: 'email_confirmation', key: 'hash', when: 'expires_at < $1', days: 7 },
  { table: 'password_reset', key: 'hash', when: 'expires_at < $1', days: 7 },
  { table: 'email_change', key: 'hash', when: 'expires_at < $1', days: 7 },
  { table: 'sign_in_step', key: 'hash', when: 'expires_at < $1', days: 1 },
  // The breaker looks back a day at most; complaints about a call may come later.
  { table: 'verification_call', key: 'id', when: 'asked_at < $1', days: 30 },
  // A form is resent soon or not at all.
  { table: 'support_message', key: 'key', when: 'created_at < $1', days: 30 },
  // Keys of sent e-mails: a repeated cause comes soon, if at all.
  { table: 'job', key: 'id', when: 'done_at < $1', days: 90 },
  // A provider redelivers events for 30 days at most; after that the transfers' keys still prevent repetition.
  { table: 'payment_event', key: 'provider, id', when: 'received_at < $1', days: 90 },
  { table: 'local_event', key: 'id', when: 'delivered_at < $1', days: 30 },
  { table: 'operator_link', key: 'hash', when: 'expires_at < $1', days: 30 },
  { table: 'operator_session', key: 'id', when: 'expires_at < $1', days: 30 },
  // The ops page shows a week at most.
  { table: 'ops_sample', key: 'id', when: 'at < $1', days: 8 },
  { table: 'caller_origin', key: 'user_id', when: 'seen_at < $1', days: 400 },
  { table: 'card_payer', key: 'fingerprint, user_id', when: 'last_paid_at < $1', days: cardPayerDays },
]

export async function prune(services: Pick<Services, 'db' | 'clock' | 'log'>): Promise<number> {
  const now = services.clock.now().getTime()
  let pruned = 0
  for (const rows of outlived) {
    const since = new Date(now - rows.days * dayMs)
    const gone = await isolated(services, { table: rows.table }, () => pruneRows(services.db, rows, since))
    pruned += gone ?? 0
  }
  return pruned
}

async function pruneRows(db: Db, { table, key, when }: Outlived, since: Date): Promise<number> {
  let pruned = 0
  for (;;) {
    const gone = await db.query(
      `delete from ${table} where (${key}) in (
         select ${key} from ${table} where ${when} limit ${batch} for update skip locked) returning 1 as one`,
      [since],
    )
    pruned += gone.length
    if (gone.length < batch) return pruned
  }
}
