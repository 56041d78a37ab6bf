import * as z from 'zod/mini'

/** Body of every failure (PD-44). `/api/token` adds `reason`; a rejected contact adds `errors`. */
export const errorBody = z.object({
  error: z.object({ code: z.string(), message: z.string() }),
  reason: z.optional(z.string()),
  errors: z.optional(z.array(z.object({ message: z.string(), field: z.optional(z.string()) }))),
})
export type ErrorBody = z.output<typeof errorBody>
