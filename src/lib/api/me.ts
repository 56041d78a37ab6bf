import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** The signed-in user; field names of SPEC-3.4. */
export const user = z.object({
  id: z.string(),
  email: z.string(),
  email_verified: z.boolean(),
  /** USD, exact to the micro-dollar. */
  credits: z.number(),
  has_used_free_call: z.boolean(),
  auto_topup_enabled: z.boolean(),
  auto_topup_trouble: z.optional(z.nullable(z.string())),
  can_call: z.boolean(),
  /** More about why calls are blocked, if there is anything to say. */
  blocked_reason: z.optional(z.nullable(z.string())),
  hide: z.boolean(),
  has_submitted_feedback: z.boolean(),
  has_made_call: z.boolean(),
  hasSavedPaymentMethod: z.boolean(),
})
export type User = z.output<typeof user>

export const me = endpoint({
  method: 'GET',
  path: '/api/protected/me',
  auth: 'bearer',
  status: 200,
  reply: user,
  errors: {},
})
