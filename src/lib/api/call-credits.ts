import * as z from 'zod/mini'
import { issue } from '../calls/feedback.ts'
import { endpoint } from './endpoint.ts'

/** Credits a bad call at once, within limits. Idempotent. A call's receipt (`calls.ts`) uses the same rules. */
export const claimCall = endpoint({
  method: 'POST',
  path: '/api/calls/:id/claim',
  auth: 'bearer',
  params: z.object({ id: z.string().check(z.maxLength(64)) }),
  body: z.object({ issue }),
  status: 200,
  /** USD. */
  reply: z.object({ credited: z.number() }),
  errors: {
    not_ended: 409,
    nothing_charged: 409,
    already_credited: 409,
    too_late: 409,
    claim_limit: 409,
    claim_budget: 409,
    call_blocked: 403,
  },
})
