import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** The part of `auth.ts` that every page with an island needs; separate because building schemas takes time. */

export const accessToken = z.object({ token: z.string() })

/** Works before the e-mail is confirmed. `second_factor_required`: right password, next `second-factor/start`. */
export const login = endpoint({
  method: 'POST',
  path: '/api/auth/login',
  auth: 'none',
  body: z.object({
    email: z.string().check(z.maxLength(320)),
    password: z.string().check(z.maxLength(1000)),
  }),
  status: 200,
  reply: accessToken,
  errors: { wrong_credentials: 401, second_factor_required: 403 },
})

/** No body; returns `token` (SPEC-7.2). Rotates the refresh cookie. */
export const refreshToken = endpoint({
  method: 'POST',
  path: '/api/auth/refresh-token',
  auth: 'cookie',
  status: 200,
  reply: accessToken,
  errors: { no_session: 401 },
})

export const logout = endpoint({
  method: 'POST',
  path: '/api/auth/logout',
  auth: 'cookie',
  status: 204,
  reply: z.undefined(),
  errors: {},
})
