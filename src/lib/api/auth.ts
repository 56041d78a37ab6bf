import * as z from 'zod/mini'
import { emailAddress, password } from '../account/account.ts'
import { endpoint } from './endpoint.ts'
import { accessToken } from './sign-in.ts'

const empty = z.object({})

/** Always 202, account or not; only the e-mail differs. `referralId` counts once the address is confirmed. */
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

/** Sends the confirmation e-mail again if still needed. Same 202 for every address; 429 if repeated too soon. */
export const resendVerification = endpoint({
  method: 'POST',
  path: '/api/auth/resend-verification',
  auth: 'none',
  body: z.object({ email: emailAddress }),
  status: 202,
  reply: empty,
  errors: {},
})

/** Posted by the script of the page behind the link, so that mail scanners do not use the link up. */
export const verifyEmail = endpoint({
  method: 'POST',
  path: '/api/auth/verify-email',
  auth: 'none',
  body: z.object({ token: z.string().check(z.minLength(1), z.maxLength(200)) }),
  status: 200,
  reply: empty,
  errors: { link_expired: 410 },
})

/** Same 202 for every address, so that it does not reveal accounts; 429 if repeated too soon. */
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

export const checkResetLink = endpoint({
  method: 'POST',
  path: '/api/auth/reset-password/check',
  auth: 'none',
  body: z.object({ token: resetToken }),
  status: 200,
  reply: z.object({ email: z.optional(z.string()) }),
  errors: { link_expired: 410 },
})

/** Also confirms the address, ends all sessions and signs in. The link works once, within 30 minutes. */
export const resetPassword = endpoint({
  method: 'POST',
  path: '/api/auth/reset-password',
  auth: 'none',
  body: z.object({ token: resetToken, password }),
  status: 200,
  reply: accessToken,
  errors: { link_expired: 410, second_factor_required: 403 },
})
