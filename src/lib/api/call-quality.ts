import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** With fewer measured seconds a page cannot say that a call was silent. */
export const minMeasuredSeconds = 5

/** Mean or share over a whole call; null if not measured. */
const measured = z.nullable(z.number().check(z.gte(0), z.lte(100_000)))

/** Sent once after a call; only the first report counts. Untrusted: credits based on it are limited elsewhere. */
export const callQuality = endpoint({
  method: 'POST',
  path: '/api/calls/:id/quality',
  auth: 'bearer',
  params: z.object({ id: z.string().check(z.maxLength(64)) }),
  body: z.object({
    /** Measured whole seconds of the answered call. */
    seconds: z.number().check(z.int(), z.gte(0), z.lte(86_400)),
    /** Of these, seconds with any sound from the callee, however faint. */
    heardSeconds: z.number().check(z.int(), z.gte(0), z.lte(86_400)),
    /** Mean opinion score, 1 to 5. */
    mos: measured,
    lossPercent: measured,
    jitterMs: measured,
    roundTripMs: measured,
  }),
  status: 204,
  reply: z.undefined(),
  errors: {},
})
