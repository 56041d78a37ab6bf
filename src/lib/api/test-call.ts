import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { voiceToken } from './token.ts'

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

/** As for any call, but needs no credits. */
export const testCallToken = endpoint({ ...voiceToken, path: '/api/test-call/token' })
