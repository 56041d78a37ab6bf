import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { voiceToken } from './token.ts'

/** When this user may next call a number of their own for nothing, to see what shows there. */
export const testCall = endpoint({
  method: 'GET',
  path: '/api/test-call',
  auth: 'bearer',
  status: 200,
  reply: z.object({
    /** ISO 8601, UTC; null: now. */
    nextAt: z.nullable(z.string()),
  }),
  errors: {},
})

/** The same as before any other call, but that no credits are asked for. */
export const testCallToken = endpoint({ ...voiceToken, path: '/api/test-call/token' })
