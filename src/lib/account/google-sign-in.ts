import { googleNotices, googleProblems } from './google-texts.ts'

/** Optional parameters: `next`, `referralId`, `again`, `language`. */
export const googleStartPath = '/api/auth/google/start'
export const googleCallbackPath = '/api/auth/google/callback'

/** Longer referral ids are ignored. */
export const longestReferralId = 100

export type GoogleProblem = keyof typeof googleProblems

/** Message for an untrusted `?problem=`; null if absent or unknown. */
export function googleProblemText(problem: string | null): string | null {
  return problem !== null && Object.hasOwn(googleProblems, problem)
    ? googleProblems[problem as GoogleProblem]
    : null
}

export type GoogleNotice = keyof typeof googleNotices

/** Message for an untrusted `?told=`; null if absent or unknown. */
export function googleNoticeText(notice: string | null): string | null {
  return notice !== null && Object.hasOwn(googleNotices, notice)
    ? googleNotices[notice as GoogleNotice]
    : null
}
