import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** TURN servers for a network that lets no UDP through, and a password for one caller. */
export const relay = z.object({
  urls: z.array(z.string()),
  username: z.string(),
  credential: z.string(),
})
export type Relay = z.output<typeof relay>

/** `exchange`: our server, at this path of the same host. `vendor`: an edge that the client finds by itself. */
export const voiceRoute = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('exchange'), path: z.string(), relay: z.optional(relay) }),
  z.object({ kind: z.literal('vendor') }),
])
export type VoiceRoute = z.output<typeof voiceRoute>

/** 402: no credits. 403: reason `call_blocked`, else the e-mail is unverified (SPEC-7.9). */
export const voiceToken = endpoint({
  method: 'GET',
  path: '/api/token',
  auth: 'bearer',
  status: 200,
  reply: z.object({ token: z.string(), ttlSeconds: z.number(), route: voiceRoute }),
  errors: { no_credits: 402, call_blocked: 403, email_unverified: 403 },
})
