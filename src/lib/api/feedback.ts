import * as z from 'zod/mini'
import { comment, issue, score } from '../calls/feedback.ts'
import { endpoint } from './endpoint.ts'

/** A second rating of a call replaces the first (PD-10). The user is then never asked again. */
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
