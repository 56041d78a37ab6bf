import type { Db } from '../../db/port.ts'
import type { Tier } from '../../policy.ts'
import type { RefusalCode } from '../../telephony/port.ts'
import type { Services } from '../context.ts'
import type { UserRow } from '../users.ts'
import { pauseOf } from './breaker.ts'
import type { Destination } from './destination.ts'
import { limitTexts } from './refusals.ts'
import { usageOf } from './standing.ts'

const hourMs = 3600_000
const dayMs = 24 * hourMs

export interface Wish {
  readonly user: UserRow
  readonly tier: Tier
  readonly destination: Destination
  readonly free: boolean
}

export interface LimitReached {
  readonly code: Extract<RefusalCode, 'call_limit' | 'rate_limit' | 'destination_paused'>
  /** Which limit, and what to do about it. */
  readonly message: string
}

/** The fraud limit that a call which could be paid would pass, if any (product decisions, 'Fraud limits'). */
export async function limitReached(
  tx: Db,
  services: Services,
  { user, tier, destination, free }: Wish,
): Promise<LimitReached | undefined> {
  const limits = services.policy.tiers[tier]
  const now = services.clock.now()
  if (!free && destination.rateMicroUsd > limits.highestRateMicroUsd) {
    return { code: 'rate_limit', message: limitTexts.rate(tier, services.policy) }
  }
  const usage = await usageOf(tx, user.id, now)
  const windows = [
    [usage.attemptsLastHour, limits.attemptsPerHour, usage.oldestAttempt, hourMs, limitTexts.attempts],
    [usage.answeredLastHour, limits.answeredPerHour, usage.oldestAnsweredLastHour, hourMs, limitTexts.hour],
    [usage.answeredLastDay, limits.answeredPerDay, usage.oldestAnsweredLastDay, dayMs, limitTexts.day],
  ] as const
  for (const [made, most, oldest, windowMs, text] of windows) {
    if (made < most) continue
    const freeAt = (oldest?.getTime() ?? now.getTime()) + windowMs
    return { code: 'call_limit', message: text(most, freeAt - now.getTime()) }
  }
  const pausedUntil = await pauseOf(tx, services, user.id, destination)
  if (pausedUntil === undefined) return undefined
  return {
    code: 'destination_paused',
    message: limitTexts.paused(pausedUntil.getTime() - now.getTime()),
  }
}
