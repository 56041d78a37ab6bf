import { removeCallerId, requestVerification, verifiedCallerIds } from '#lib/api/caller-id.ts'
import { texts } from '#lib/rules/error-texts.ts'
import { commonFailure, failed, type RequestFailure } from '../http/failure.ts'
import type { Mount } from '../http/mount.ts'
import {
  startVerification,
  type VerificationLimit,
  type VerificationStart,
} from '../services/caller-id-verification.ts'
import { listCallerIds, removeCallerId as remove } from '../services/caller-ids.ts'
import { refusalMessage } from '../services/calls/refusals.ts'
import type { Services } from '../services/context.ts'

export function mountCallerId(mount: Mount, services: Services): void {
  const { db, policy } = services
  mount(verifiedCallerIds, async ({ userId }) => listCallerIds(db, userId))
  mount(requestVerification, async ({ userId, body }) => {
    const started = await startVerification(services, userId, body.phoneNumber)
    if (started.ok) return { code: started.value.code }
    throw refusal(started, policy.verificationCallsPerDay)
  })
  mount(removeCallerId, async ({ userId, params }) => {
    if (!(await remove(services, userId, params.number))) throw commonFailure('not_found')
    return undefined
  })
}

/** Each says what to do. */
function refusal(refused: Exclude<VerificationStart, { ok: true }>, perDay: number): RequestFailure {
  switch (refused.code) {
    case 'unavailable':
      return commonFailure('unavailable', `${texts.callerIds.request_failed} Please try again in a minute.`)
    case 'lost':
      return commonFailure(
        'unavailable',
        `${texts.callerIds.request_failed} Should the phone ring, hang up. Please try again in a minute.`,
      )
    case 'not_verifiable':
      return failed(
        requestVerification,
        'not_verifiable',
        'This number cannot be verified for your account. Contact support for help.',
      )
    case 'already_verified':
      return failed(
        requestVerification,
        'already_verified',
        'You have verified this number already. Choose it under Call from.',
      )
    case 'too_soon':
    case 'too_many_by_user':
    case 'too_many_to_number': {
      const code = refused.code === 'too_soon' ? 'too_soon' : 'too_many_verifications'
      return failed(requestVerification, code, limitMessage(refused, perDay), {}, refused.waitMs)
    }
    default:
      return failed(requestVerification, refused.code, refusalMessage[refused.code])
  }
}

function limitMessage({ code, waitMs }: VerificationLimit, perDay: number): string {
  const again = `Try again in ${inWords(waitMs)}`
  switch (code) {
    case 'too_soon':
      return `We have just made a call to verify a number. ${again}.`
    case 'too_many_by_user':
      return `We make ${plural(perDay, 'verification call')} a day for each account. ${again}.`
    case 'too_many_to_number':
      return `We ring a number ${plural(perDay, 'time')} a day to verify it. ${again}, or verify another number.`
  }
}

/** Rounded up, so that it is true when the time has come. */
function inWords(ms: number): string {
  if (ms <= 60_000) return plural(Math.ceil(ms / 1000), 'second')
  if (ms <= 3_600_000) return plural(Math.ceil(ms / 60_000), 'minute')
  return plural(Math.ceil(ms / 3_600_000), 'hour')
}

function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
