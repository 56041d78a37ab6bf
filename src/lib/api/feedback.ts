import * as z from 'zod/mini'
import { comment, issue, score } from '../rules/feedback.ts'
import { endpoint } from './endpoint.ts'

/**
 * How a call was (decision 10). Sent again for the same call, it takes the place of what was sent before. The
 * user is not asked any more from then on (`has_submitted_feedback`).
 */
export const feedback = endpoint({
  method: 'POST',
  path: '/api/feedback',
  auth: 'bearer',
  body: z.object({
    score,
    issue: z.optional(issue),
    comment: z.optional(comment),
    /** One of the user's own calls; any other is `not_found`. */
    callId: z.optional(z.uuid()),
  }),
  status: 204,
  reply: z.undefined(),
  errors: {},
})
