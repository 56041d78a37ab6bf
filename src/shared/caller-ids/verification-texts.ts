import type { VerificationOutcome, VerificationStatus } from '#lib/api/verification.ts'
import { hourMs, minuteMs } from '#lib/time.ts'

/** An outcome, or nothing known of it after the last poll (SPEC-9.15). */
export type VerificationFailure = Exclude<VerificationOutcome, 'verified'> | 'timed_out'

/** Our texts; the specification has none. */
export const failureTexts: Readonly<Record<VerificationFailure, string>> = {
  no_answer: 'Nobody answered.',
  busy: 'The line was busy.',
  declined: 'The call was declined.',
  failed: "The network didn't put the call through. Check the number.",
  wrong_code: "The code typed on the phone wasn't the one shown here.",
  no_code: 'The call was answered, but no code was typed.',
  hung_up: 'The call ended before the code was typed.',
  timed_out: "We didn't get the code. Check the number, then try again.",
}

export type Attempts = Pick<VerificationStatus, 'attemptsPerDay' | 'attemptsLeft' | 'waitMs'>

/** `2 of 3 attempts left today.` */
export function attemptsText({ attemptsLeft, attemptsPerDay }: Attempts): string {
  return `${attemptsLeft} of ${attemptsPerDay} attempts left today.`
}

/** Whether and when we can call again. */
export function againText({ attemptsLeft, waitMs }: Attempts): string {
  if (waitMs <= 0) return 'We can call again.'
  if (waitMs <= minuteMs) return 'We can call again in a minute.'
  if (waitMs <= hourMs) return `We can call again in ${Math.ceil(waitMs / minuteMs)} minutes.`
  const hours = Math.ceil(waitMs / hourMs)
  return attemptsLeft > 0 ? `We can call again in ${hours} hours.` : `You can try again in ${hours} hours.`
}
