import * as z from 'zod/mini'
import { callOutcome } from './calls.ts'

/**
 * Socket events. They are hints: a page that missed one asks the HTTP endpoint.
 * The access token travels as `auth.token` of the socket.io handshake; `register` carries the user id
 * (specification section 4) and is refused unless it is the token's own (decision 23).
 */
export const balanceEvent = z.object({
  credits: z.number(),
  /** What became of an automatic top-up that brought nothing, for the user to read. */
  notice: z.optional(z.string()),
})
/** `attempt` is the name that the page gave a call when it made it (`VoiceClient.attempt`). */
const attempt = z.optional(z.string())
export const callEvent = z.object({
  id: z.string(),
  attempt,
  state: z.enum(['placed', 'ringing', 'answered', 'ended']),
  answeredAt: z.nullable(z.string()),
  outcome: z.nullable(callOutcome),
})
/**
 * `callId` names the call it is about, `attempt` one that its page may know by nothing else; without either it is about
 * whatever this page is doing.
 */
export const callErrorEvent = z.object({
  message: z.string(),
  callId: z.optional(z.string()),
  attempt,
  /** The call was promised to be free and would not be: the only refusal of which a page has to know more than its words. */
  code: z.optional(z.literal('not_free')),
})

export type BalanceEvent = z.output<typeof balanceEvent>
export type CallEvent = z.output<typeof callEvent>
export type CallErrorEvent = z.output<typeof callErrorEvent>

export interface ServerEvents {
  balance: (event: BalanceEvent) => void
  call: (event: CallEvent) => void
  call_error: (event: CallErrorEvent) => void
}
export interface ClientEvents {
  register: (userId: string, acknowledge?: (accepted: boolean) => void) => void
}
