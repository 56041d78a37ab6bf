import { removeCallerId, requestVerification, verifiedCallerIds } from '#lib/api/caller-id.ts'
import { verificationStatus } from '#lib/api/verification.ts'
import { hourMs, minuteMs } from '#lib/time.ts'
import type { Services } from '../../context.ts'
import { commonFailure, failed, type RequestFailure } from '../../http/failure.ts'
import type { Mount } from '../../http/mount.ts'
import type { BudgetSpent } from '../../limits/reserve.ts'
import { deviceCookie } from '../placing/device-cookie.ts'
import { limitTexts, rejectionMessages } from '../placing/rejections.ts'
import { answers } from './caller-id-answer-texts.ts'
import { maxRateMicroUsd, startVerification, type VerificationStart } from './caller-id-verification.ts'
import { listCallerIds, removeCallerId as remove } from './caller-ids.ts'
import { findVerificationStatus } from './verification-status.ts'

export function mountCallerId(mount: Mount, services: Services): void {
  const { db } = services
  const deviceOf = deviceCookie(services)
  mount(verifiedCallerIds, async ({ userId }) => listCallerIds(db, userId))
  mount(requestVerification, async ({ userId, body, http }) => {
    const browser = { address: http.request.ip, device: deviceOf(http.request, http.reply) }
    const started = await startVerification(services, userId, body.phoneNumber, browser)
    if (started.ok) return { code: started.value.code }
    throw rejection(services, started)
  })
  mount(verificationStatus, async ({ userId }) => findVerificationStatus(services, userId))
  mount(removeCallerId, async ({ userId, body }) => {
    if (!(await remove(services, userId, body.phoneNumber))) throw commonFailure('not_found')
    return undefined
  })
}

const daySeconds = 24 * 3600

function rejection(services: Services, refused: Exclude<VerificationStart, { ok: true }>): RequestFailure {
  switch (refused.code) {
    case 'unavailable':
      return commonFailure('unavailable', answers.unavailable)
    case 'lost':
      return commonFailure('unavailable', answers.lost)
    case 'not_verifiable':
      return failed(requestVerification, 'not_verifiable', answers.notVerifiable)
    case 'already_verified':
      return failed(requestVerification, 'already_verified', answers.alreadyVerified)
    case 'rate_limit': {
      const maxRate = maxRateMicroUsd(services, refused.tier)
      const message = limitTexts.verificationRate(refused.tier, services.policy, maxRate)
      return failed(requestVerification, 'rate_limit', message)
    }
    case 'destination_paused': {
      const { waitMs } = refused
      return failed(requestVerification, 'destination_paused', limitTexts.paused(waitMs), {}, waitMs)
    }
    case 'budget_spent': {
      const { spent } = refused
      const code = isGap(spent) ? 'too_soon' : 'too_many_verifications'
      return failed(requestVerification, code, spentMessage(spent), {}, spent.waitMs)
    }
    default:
      return failed(requestVerification, refused.code, rejectionMessages()[refused.code])
  }
}

/** A limit on the time between two calls, not on calls per day. */
function isGap({ windowSeconds }: BudgetSpent): boolean {
  return windowSeconds < daySeconds
}

function spentMessage(spent: BudgetSpent): string {
  const { per, max, waitMs } = spent
  const wait = durationText(waitMs)
  const again = answers.again({ wait })
  if (isGap(spent)) return answers.justCalled({ again })
  switch (per) {
    case 'account':
      return answers.perAccount({ max, again })
    case 'callee':
      return answers.perCallee({ max, again: answers.againOrOther({ wait }) })
    case 'prefix':
    case 'everyone':
      return answers.allMade({ again })
    default:
      return answers.perConnection({ again })
  }
}

/** Rounded up, so that waiting this long is enough. */
function durationText(ms: number): string {
  if (ms <= minuteMs) return answers.seconds({ seconds: Math.ceil(ms / 1000) })
  if (ms <= hourMs) return answers.minutes({ minutes: Math.ceil(ms / minuteMs) })
  return answers.hours({ hours: Math.ceil(ms / hourMs) })
}
