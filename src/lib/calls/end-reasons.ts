import { chargeTexts, endReasonTexts } from './end-reason-texts.ts'

export type EndReasonKind = keyof typeof endReasonTexts

/** Prevents every call in this page, whatever the account and number. */
export type CallObstacle = Extract<EndReasonKind, 'browser_unsupported' | 'page_insecure'>

/** `not_free`: the page had shown the call as free. `needs_credits`: credits would let it through. */
export type RejectedKind = 'refused' | 'not_free' | 'needs_credits'

/** By kind, or a rejection with the server's message. */
export type EndReason =
  | { readonly kind: EndReasonKind }
  | { readonly kind: RejectedKind; readonly message: string }

/** Why no call token was issued (SPEC-7.9, SPEC-8.3 to SPEC-8.6). `status` 0: no response. */
export function tokenEndReason(status: number, reason: string | undefined): EndReason {
  if (status === 402) return { kind: 'no_credits' }
  if (status === 403) return { kind: reason === 'call_blocked' ? 'call_blocked' : 'email_unverified' }
  if (status === 401) return { kind: 'authentication_failed' }
  return { kind: 'token_failed' }
}

const unanswered: readonly string[] = ['cancelled', 'no_answer', 'busy', 'declined', 'unavailable']
const unconnected: readonly string[] = ['failed', 'service_failed', ...unanswered]
const interrupted: readonly string[] = ['connection_lost', 'service_restarted']

/** With what was charged, where the reason alone leaves that open. */
export function endReasonText(reason: EndReason): string {
  if ('message' in reason) return reason.message
  const { kind } = reason
  const text = endReasonTexts[kind]
  if (unconnected.includes(kind)) return `${text} ${chargeTexts.nothing}`
  return interrupted.includes(kind) ? `${text} ${chargeTexts.checking}` : text
}

/** Somebody hung up, or the callee did not or could not answer. `call-summary.ts` adds the cost from the call's record. */
export function isOrdinary({ kind }: EndReason): boolean {
  return kind === 'caller_hung_up' || kind === 'callee_hung_up' || unanswered.includes(kind)
}
