import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** A share of a whole call, or a mean over it; null where nothing was measured. */
const measured = z.nullable(z.number().check(z.gte(0), z.lte(100_000)))

/**
 * What a page measured of a call of its own, told once when it has ended. The first report stays. A page may say what
 * it likes: what is credited on its word is limited elsewhere.
 */
export const callQuality = endpoint({
  method: 'POST',
  path: '/api/calls/:id/quality',
  auth: 'bearer',
  params: z.object({ id: z.string().check(z.maxLength(64)) }),
  body: z.object({
    /** Whole seconds of the answered call that were measured. */
    seconds: z.number().check(z.int(), z.gte(0), z.lte(86_400)),
    /** Of these, the seconds in which any sound, however faint, came from the other end. */
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
