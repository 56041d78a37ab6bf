import { secondFactorPolicy } from '../../config/policy.ts'
import type { Services } from '../../context.ts'
import {
  type AttemptLimit,
  type AttemptTools,
  countAttempt,
  forgetAttempts,
  takeAttempt,
  uncountAttempt,
} from '../../limits/attempts.ts'
import { queueNotice } from '../../mail/queue-email.ts'
import { codesTriedEmail } from './codes-tried-email.ts'

export interface CodeAttempt {
  /** 0, or milliseconds until the next code is allowed. */
  readonly waitMs: number
  /** Wrong codes in the last 24 hours; counts this one as wrong. */
  readonly wrongToday: number
}

/**
 * Call before checking a code: it counts as wrong until it proves right. Known devices are counted apart, so that
 * someone elsewhere with the password cannot lock the owner out (ADR-58).
 */
export async function takeCodeAttempt(
  tools: AttemptTools,
  userId: string,
  knownDevice: string | undefined,
): Promise<CodeAttempt> {
  const { window, day } = limitsOf(userId, knownDevice)
  const { waitMs } = await takeAttempt(tools, window)
  // A code rejected unread does not count for the day.
  if (waitMs > 0) return { waitMs, wrongToday: 0 }
  const ofDay = await takeAttempt(tools, day)
  return { waitMs: ofDay.waitMs, wrongToday: ofDay.used }
}

/** Does not clear the day's wrong codes: a guesser must not benefit from the owner's sign-ins. */
export async function codeWasRight(
  tools: AttemptTools,
  userId: string,
  knownDevice: string | undefined,
): Promise<void> {
  const { window, day } = limitsOf(userId, knownDevice)
  await forgetAttempts(tools, window)
  await uncountAttempt(tools, day)
}

/** Notifies the owner, once a day, that someone has passed the first factor and is trying codes. */
export async function notifyOwner(services: Services, userId: string): Promise<void> {
  await services.db.transaction(async tx => {
    const [user] = await tx.query<{ email: string }>(
      'select email from app_user where id = $1 and deleted_at is null',
      [userId],
    )
    if (user === undefined || (await countAttempt({ ...services, db: tx }, notifiedLimit(userId))) > 0) return
    const template = () => codesTriedEmail(services.publicUrl, services.clock.now())
    const name = services.random.uuid()
    await queueNotice(tx, services, { kind: 'codes-tried', userId, to: user.email, name, template })
  })
}

const daySeconds = 24 * 3600

function limitsOf(
  userId: string,
  knownDevice: string | undefined,
): { readonly window: AttemptLimit; readonly day: AttemptLimit } {
  const { windowSeconds, maxCodes, maxCodesPerDay } = secondFactorPolicy
  const counted =
    knownDevice === undefined
      ? ({ kind: 'second_factor', scope: 'account', subject: userId } as const)
      : ({ kind: 'second_factor', scope: 'device', subject: knownDevice } as const)
  return {
    window: { ...counted, max: maxCodes, windowSeconds },
    day: { ...counted, max: maxCodesPerDay, windowSeconds: daySeconds },
  }
}

function notifiedLimit(userId: string): AttemptLimit {
  return { kind: 'codes_tried', scope: 'account', subject: userId, max: 1, windowSeconds: daySeconds }
}
