/** Where a sign-in with Google begins: an address to navigate to, not to fetch. `next` and `referralId` may go with it. */
export const googleStartPath = '/api/auth/google/start'
/** Where Google sends the browser back to. */
export const googleCallbackPath = '/api/auth/google/callback'

/** No longer value of the referral script's is taken. */
export const longestReferralId = 100

/** What a sign-in that failed is told by at `/login?problem=`, beside the button. */
export const googleProblems = {
  google_denied: 'You stopped at Google, so nothing was changed. Continue with Google, or use your e-mail.',
  google_expired:
    'That took longer than 10 minutes, or was begun in another browser. Please press Continue with Google again.',
  google_failed: 'Google’s answer could not be used. Please press Continue with Google again.',
  google_unreachable: 'Google does not answer right now. Try again in a minute, or use your e-mail.',
  google_unverified:
    'Google has not confirmed the e-mail address of that account. Confirm it there first, or register with your e-mail here.',
  google_busy: 'Too many attempts. Wait a minute and try again.',
  google_unavailable: 'Signing in with Google is not offered here. Please use your e-mail.',
  internal: 'Something went wrong on our side. Please try again.',
} as const
export type GoogleProblem = keyof typeof googleProblems

/** The words for the `?problem=` of an address, which anybody may have written; null for none and unknown ones. */
export function googleProblemText(problem: string | null): string | null {
  return problem !== null && Object.hasOwn(googleProblems, problem)
    ? googleProblems[problem as GoogleProblem]
    : null
}

/** What is said once somebody is signed in, by the `?told=` of the way back. */
export const googleNews = {
  linked: 'From now on Google signs you in to the account that you had here.',
  set_aside:
    'Somebody had begun to register with your e-mail address and never confirmed it. We put that away: this account is new and yours alone. Our mail to you says more.',
} as const
export type GoogleNews = keyof typeof googleNews

/** The words for the `?told=` of an address; null for none and unknown ones. */
export function googleNewsText(told: string | null): string | null {
  return told !== null && Object.hasOwn(googleNews, told) ? googleNews[told as GoogleNews] : null
}
