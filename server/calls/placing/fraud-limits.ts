import { dayMs, hourMs } from '#lib/time.ts'
import type { Tier } from '../../config/policy.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import type { AttemptBudget } from '../../limits/attempt-budget.ts'
import { usageOf } from '../../spending/trust-tier.ts'
import type { RejectionCode } from '../../telephony/port.ts'
import { pauseOf } from './breaker.ts'
import { type Ring, ringUse, wasOftenUnheard } from './call-budget.ts'
import { limitTexts, rejectionMessages, ringSpentText } from './rejections.ts'

export interface LimitReached {
  readonly code: Extract<RejectionCode, 'call_limit' | 'rate_limit' | 'destination_paused'>
  readonly message: string
}

/** The fraud limit that a call would exceed, if any, even if it can be paid (PD-54 to PD-58). Reserves its ring. */
export async function limitReached(
  tx: Db,
  services: Services,
  call: Ring & { readonly tier: Tier; readonly free: boolean },
  budget: AttemptBudget,
): Promise<LimitReached | undefined> {
  const { user, tier, destination, free } = call
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
  for (const [made, maxCalls, oldest, windowMs, text] of windows) {
    if (made < maxCalls) continue
    const freeAt = (oldest?.getTime() ?? now.getTime()) + windowMs
    return { code: 'call_limit', message: text(maxCalls, freeAt - now.getTime()) }
  }
  if (await wasOftenUnheard(tx, services, user.id))
    return { code: 'call_limit', message: rejectionMessages().call_limit }
  const pausedUntil = await pauseOf(tx, services, user.id, destination)
  if (pausedUntil !== undefined) {
    return {
      code: 'destination_paused',
      message: limitTexts.paused(pausedUntil.getTime() - now.getTime()),
    }
  }
  const ring = ringUse(services, call, tier)
  const spent = ring && (await budget.reserve(ring))
  return spent && { code: 'call_limit', message: ringSpentText(spent) }
}
