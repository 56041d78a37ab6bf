import type { VerificationOutcome, VerificationStatus } from '#lib/api/verification.ts'
import { hourMs, minuteMs } from '#lib/time.ts'
import { texts } from './texts.ts'

/** An outcome, or nothing known of it after the last poll (SPEC-9.15). */
export type VerificationFailure = Exclude<VerificationOutcome, 'verified'> | 'timed_out'

export type Attempts = Pick<VerificationStatus, 'attemptsPerDay' | 'attemptsLeft' | 'waitMs'>

/** `2 of 3 attempts left today.` */
export function attemptsText({ attemptsLeft, attemptsPerDay }: Attempts): string {
  return texts.attempts({ left: attemptsLeft, perDay: attemptsPerDay })
}

/** Whether and when we can call again. */
export function againText({ attemptsLeft, waitMs }: Attempts): string {
  if (waitMs <= 0) return texts.againNow
  if (waitMs <= minuteMs) return texts.againInMinute
  if (waitMs <= hourMs) return texts.againInMinutes({ minutes: Math.ceil(waitMs / minuteMs) })
  const hours = Math.ceil(waitMs / hourMs)
  return attemptsLeft > 0 ? texts.againInHours({ hours }) : texts.tryInHours({ hours })
}
