import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { voiceRoute } from './token.ts'

/** What a page gives its voice client so that the call tries the line, and reaches nobody. */
export const lineCheckPurpose = 'line_check'

/**
 * A token to try the line with: a call of a few seconds that reaches nobody and costs nothing, so it takes no credits.
 * Limited for each user and hour (429).
 */
export const lineCheckToken = endpoint({
  method: 'POST',
  path: '/api/line-check',
  auth: 'bearer',
  status: 200,
  reply: z.object({
    token: z.string(),
    /** Lifetime of the token in seconds. */
    ttlSeconds: z.number(),
    route: voiceRoute,
  }),
  errors: { call_blocked: 403, email_unverified: 403 },
})
