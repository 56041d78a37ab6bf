import * as z from 'zod/mini'
import { emailAddress, password } from '../rules/account.ts'
import { endpoint } from './endpoint.ts'
import { accessToken } from './sign-in.ts'

const empty = z.object({})

/**
 * Always 202, whether or not the account exists: only the mail differs. `referralId` is what the referral script found; it
 * counts once the address is confirmed.
 */
export const register = endpoint({
  method: 'POST',
  path: '/api/auth/register',
  auth: 'none',
  body: z.object({
    email: emailAddress,
    password,
    referralId: z.optional(z.nullable(z.string().check(z.maxLength(100)))),
  }),
  status: 202,
  reply: empty,
  errors: {},
})

/** Sends the confirmation mail again, if the address has an account that still needs it: the same 202 for every address, and 429 soon after. */
export const resendVerification = endpoint({
  method: 'POST',
  path: '/api/auth/resend-verification',
  auth: 'none',
  body: z.object({ email: emailAddress }),
  status: 202,
  reply: empty,
  errors: {},
})

/** Posted by the script of the page that the mailed link opens, so that mail scanners do not use it up. */
export const verifyEmail = endpoint({
  method: 'POST',
  path: '/api/auth/verify-email',
  auth: 'none',
  body: z.object({ token: z.string().check(z.minLength(1), z.maxLength(200)) }),
  status: 200,
  reply: empty,
  errors: { link_expired: 410 },
})

/**
 * Sends a link with which the password can be chosen anew. The same 202 for every address, and 429 soon after: only its owner
 * learns whether it has an account.
 */
export const forgotPassword = endpoint({
  method: 'POST',
  path: '/api/auth/forgot-password',
  auth: 'none',
  body: z.object({ email: emailAddress }),
  status: 202,
  reply: empty,
  errors: {},
})

const resetToken = z.string().check(z.minLength(1), z.maxLength(200))

/** Whether a mailed link would still work, and whose password it is for; uses nothing up. */
export const checkResetLink = endpoint({
  method: 'POST',
  path: '/api/auth/reset-password/check',
  auth: 'none',
  body: z.object({ token: resetToken }),
  status: 200,
  reply: z.object({ email: z.optional(z.string()) }),
  errors: { link_expired: 410 },
})

/** Sets the password, confirms the address, ends every session and signs this browser in. The link works once, 30 minutes long. */
export const resetPassword = endpoint({
  method: 'POST',
  path: '/api/auth/reset-password',
  auth: 'none',
  body: z.object({ token: resetToken, password }),
  status: 200,
  reply: accessToken,
  errors: { link_expired: 410 },
})
