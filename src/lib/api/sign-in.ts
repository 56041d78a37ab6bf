import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** What every page with an island needs of `auth.ts`: by itself, since building a schema takes its time. */

export const accessToken = z.object({ token: z.string() })

/** Works before the e-mail is confirmed too; calling is what needs the confirmation. */
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
  errors: { wrong_credentials: 401 },
})

/** Specification section 7: no body, reads `token`. Rotates the refresh cookie. */
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
