import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/**
 * Where the voice client connects. `exchange` is our own server, at this path of the same host;
 * `vendor` is the voice vendor's own edge, which the client finds by itself.
 */
export const voiceRoute = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('exchange'), path: z.string() }),
  z.object({ kind: z.literal('vendor') }),
])
export type VoiceRoute = z.output<typeof voiceRoute>

/** Specification section 7: 402 without credits, 403 with reason `call_blocked`, other 403 unverified e-mail. */
export const voiceToken = endpoint({
  method: 'GET',
  path: '/api/token',
  auth: 'bearer',
  status: 200,
  reply: z.object({
    token: z.string(),
    /** Lifetime of the token in seconds. */
    ttlSeconds: z.number(),
    route: voiceRoute,
  }),
  errors: { no_credits: 402, call_blocked: 403, email_unverified: 403 },
})
