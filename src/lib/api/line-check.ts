import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { voiceRoute } from './token.ts'

/** Parameter that marks a call as a network check, which reaches nobody. */
export const lineCheckPurpose = 'line_check'

/** Token for a call that reaches nobody and costs nothing, so needs no credits. Limited per user and hour (429). */
export const lineCheckToken = endpoint({
  method: 'POST',
  path: '/api/line-check',
  auth: 'bearer',
  status: 200,
  reply: z.object({ token: z.string(), ttlSeconds: z.number(), route: voiceRoute }),
  errors: { call_blocked: 403, email_unverified: 403 },
})
