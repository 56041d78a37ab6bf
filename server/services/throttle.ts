import { createHmac } from 'node:crypto'
import type { AttemptLimit } from '../policy.ts'
import type { Services } from './context.ts'

/** The database holds what was taken, so that all processes count together and a restart forgives nothing. */
export type ThrottleTools = Pick<Services, 'db' | 'clock' | 'keys'>

/** One count: what is limited, and for whom. */
export interface Bucket {
  readonly name: string
  readonly subject: string
  readonly limit: AttemptLimit
}

/**
 * Takes one of a limit, at once and for all processes: of many that ask at the same moment no more than the limit get
 * one. The window begins with the first and ends by itself; asking in vain does not lengthen it.
 * @returns 0, or the milliseconds until another one may be taken, never more than the window
 */
export async function take(tools: ThrottleTools, bucket: Bucket): Promise<number> {
  const now = tools.clock.now()
  const windowMs = bucket.limit.windowSeconds * 1000
  // An end further away than a whole window was written by a clock that was ahead.
  const [row] = await tools.db.query<{ taken: number; ends_at: Date }>(
    `insert into throttle (key, taken, ends_at) values ($1, 1, $2)
     on conflict (key) do update set
       taken = case when throttle.ends_at <= $3 then 1 else throttle.taken + 1 end,
       ends_at = case when throttle.ends_at <= $3 then $2 else least(throttle.ends_at, $2) end
     returning taken, ends_at`,
    [keyOf(tools, bucket), new Date(now.getTime() + windowMs), now],
  )
  if (row === undefined) throw new Error('a throttle counted nothing')
  return row.taken <= bucket.limit.most ? 0 : Math.max(1, row.ends_at.getTime() - now.getTime())
}

/** Gives back one that was taken and turned out not to count. */
export async function giveBack(tools: ThrottleTools, bucket: Bucket): Promise<void> {
  await tools.db.query('update throttle set taken = taken - 1 where key = $1 and taken > 0', [
    keyOf(tools, bucket),
  ])
}

/** Begins a count anew. */
export async function forget(tools: ThrottleTools, bucket: Bucket): Promise<void> {
  await tools.db.query('delete from throttle where key = $1', [keyOf(tools, bucket)])
}

/** Takes away what has ended. */
export async function sweepThrottles({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  await db.query('delete from throttle where ends_at <= $1', [clock.now()])
}

/** With a key, so that the database tells nobody's address. */
function keyOf({ keys }: ThrottleTools, { name, subject }: Bucket): Uint8Array {
  return createHmac('sha256', keys.origin).update(`throttle ${name} ${subject}`).digest()
}
