import { createHmac } from 'node:crypto'
import type { Services } from '../context.ts'
import type { Db } from '../db/port.ts'
import { addUses, forgetUses, returnUses } from './counters.ts'

/** Counts are in the database, so that all processes share them and a restart clears nothing. */
export type AttemptTools = Pick<Services, 'clock' | 'keys'> & { readonly db: Db }

export interface AttemptLimit {
  readonly kind: 'login' | 'current_password' | 'second_factor' | 'codes_tried' | 'gift_code'
  readonly scope: 'account' | 'address' | 'device'
  readonly subject: string
  readonly max: number
  readonly windowSeconds: number
}

/**
 * Atomic across processes. The window begins with the first attempt; rejected ones do not extend it.
 * @returns 0, or the milliseconds until the next attempt is allowed, at most the window
 */
export async function countAttempt(tools: AttemptTools, limit: AttemptLimit): Promise<number> {
  return (await takeAttempt(tools, limit)).waitMs
}

/** As `countAttempt`. @returns also all attempts in the window, including this one */
export async function takeAttempt(
  tools: AttemptTools,
  limit: AttemptLimit,
): Promise<{ readonly waitMs: number; readonly used: number }> {
  const now = tools.clock.now()
  const endsAt = new Date(now.getTime() + limit.windowSeconds * 1000)
  const [counted] = await addUses(tools.db, [{ ...limit, ...keyOf(tools, limit), quantity: 1, endsAt }], now)
  if (counted === undefined) throw new Error('an attempt was not counted')
  const { used } = counted
  return { used, waitMs: used <= limit.max ? 0 : Math.max(1, counted.endsAt.getTime() - now.getTime()) }
}

export async function uncountAttempt(tools: AttemptTools, limit: AttemptLimit): Promise<void> {
  await returnUses(tools.db, [{ ...keyOf(tools, limit), quantity: 1, endsAt: null }])
}

export async function forgetAttempts(tools: AttemptTools, limit: AttemptLimit): Promise<void> {
  await forgetUses(tools.db, keyOf(tools, limit))
}

/** Keyed hash, so that the database reveals no addresses. */
function keyOf({ keys }: AttemptTools, { kind, scope, subject, windowSeconds }: AttemptLimit) {
  const hash = createHmac('sha256', keys.origin).update(`attempts ${kind} ${scope} ${subject}`)
  return { kind, scope, windowSeconds, subject: hash.digest('base64url') }
}
