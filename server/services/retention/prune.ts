import type { Db } from '../../db/port.ts'
import type { Services } from '../context.ts'
import { isolated } from './isolated.ts'

const dayMs = 24 * 3600_000
/** Rows that one statement takes away. */
const batch = 1000

/** What counts for nothing any more once it is so old: rows of a table by their key, and since when. */
interface Outlived {
  readonly table: string
  readonly key: string
  /** `$1` is so many days ago. */
  readonly when: string
  readonly days: number
}

const outlived: readonly Outlived[] = [
  // A session lasts 30 days from its beginning; an old token that comes back shows until then that it was stolen.
  { table: 'refresh_token', key: 'hash', when: 'expires_at < $1', days: 30 },
  // By the devices that were known, a sign-in from a new one is told.
  {
    table: 'session',
    key: 'id',
    when: 'last_seen_at < $1 and not exists (select 1 from refresh_token where family = session.id)',
    days: 400,
  },
  { table: 'email_confirmation', key: 'hash', when: 'expires_at < $1', days: 7 },
  { table: 'password_reset', key: 'hash', when: 'expires_at < $1', days: 7 },
  { table: 'email_change', key: 'hash', when: 'expires_at < $1', days: 7 },
  // They count against limits for a day.
  { table: 'verification_call', key: 'id', when: 'asked_at < $1', days: 30 },
  // A form that is sent again is sent soon.
  { table: 'support_message', key: 'key', when: 'created_at < $1', days: 30 },
  // The keys of mails that were sent: what causes one comes again soon, if at all.
  { table: 'job', key: 'id', when: 'done_at < $1', days: 90 },
  { table: 'local_event', key: 'id', when: 'delivered_at < $1', days: 30 },
  { table: 'operator_link', key: 'hash', when: 'expires_at < $1', days: 30 },
  { table: 'operator_session', key: 'id', when: 'expires_at < $1', days: 30 },
  // The longest that the operator's page shows is a week.
  { table: 'ops_sample', key: 'id', when: 'at < $1', days: 8 },
  { table: 'caller_origin', key: 'user_id', when: 'seen_at < $1', days: 400 },
]

/** Takes away what has outlived its use. @returns how many rows that were */
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
      `delete from ${table} where ${key} in (
         select ${key} from ${table} where ${when} limit ${batch} for update skip locked) returning 1 as one`,
      [since],
    )
    pruned += gone.length
    if (gone.length < batch) return pruned
  }
}
