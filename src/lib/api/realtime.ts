import * as z from 'zod/mini'
import { callOutcome } from './calls.ts'
import type { VerificationEvent } from './verification.ts'

/**
 * Socket events. They are hints: a page that missed one asks the HTTP endpoint. The access token is `auth.token` of the
 * socket.io handshake. `register` carries the user id (SPEC-4.20) and is rejected unless it matches the token (PD-23).
 */
export const balanceEvent = z.object({
  credits: z.number(),
  notice: z.optional(z.string()),
})
/** The page's UUID of its call attempt (`VoiceClient.attempt`). */
const attempt = z.optional(z.string())
export const callEvent = z.object({
  id: z.string(),
  attempt,
  state: z.enum(['placed', 'ringing', 'answered', 'ended']),
  answeredAt: z.nullable(z.string()),
  outcome: z.nullable(callOutcome),
})
/** `attempt` names a call without a known id. Without either, the error concerns whatever the page is doing. */
export const callErrorEvent = z.object({
  message: z.string(),
  callId: z.optional(z.string()),
  attempt,
  /** `not_free`: the page had shown the call as free, but it would be charged. `needs_credits`: credits would let it through. */
  code: z.optional(z.enum(['not_free', 'needs_credits'])),
})

export type BalanceEvent = z.output<typeof balanceEvent>
export type CallEvent = z.output<typeof callEvent>
export type CallErrorEvent = z.output<typeof callErrorEvent>

export interface ServerEvents {
  balance: (event: BalanceEvent) => void
  call: (event: CallEvent) => void
  call_error: (event: CallErrorEvent) => void
  verification: (event: VerificationEvent) => void
}
export interface ClientEvents {
  register: (userId: string, acknowledge?: (accepted: boolean) => void) => void
}
