import * as z from 'zod/mini'

/**
 * The body of every answer that is not a success. `reason` and `errors` are the specification's own
 * fields beside ours: `/api/token` names a reason, a refused contact lists its faults.
 */
export const errorBody = z.object({
  error: z.object({ code: z.string(), message: z.string() }),
  reason: z.optional(z.string()),
  errors: z.optional(z.array(z.object({ message: z.string(), field: z.optional(z.string()) }))),
})
export type ErrorBody = z.output<typeof errorBody>
