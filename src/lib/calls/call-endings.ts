import { texts } from '../texts.ts'

export const endings = texts.calls

export type EndingKind = keyof typeof endings

/** Prevents every call in this page, whatever the account and number. */
export type CallObstacle = Extract<EndingKind, 'browser_unsupported' | 'page_insecure'>

/** An ending by kind, or a rejection with the server's message. `not_free`: the page had shown the call as free. */
export type CallEnding =
  | { readonly kind: EndingKind }
  | { readonly kind: 'refused' | 'not_free'; readonly message: string }

/** Why no call token was issued (SPEC-7.9, SPEC-8.3 to SPEC-8.6). `status` 0: no response. */
export function tokenEnding(status: number, reason: string | undefined): CallEnding {
  if (status === 402) return { kind: 'no_credits' }
  if (status === 403) return { kind: reason === 'call_blocked' ? 'call_blocked' : 'email_unverified' }
  if (status === 401) return { kind: 'authentication_failed' }
  return { kind: 'token_failed' }
}

export function endingText(ending: CallEnding): string {
  return 'message' in ending ? ending.message : endings[ending.kind]
}

/** A normal ending: somebody hung up, or the callee did not or could not answer. */
export function isOrdinary(ending: CallEnding): boolean {
  switch (ending.kind) {
    case 'caller_hung_up':
    case 'callee_hung_up':
    case 'cancelled':
    case 'no_answer':
    case 'busy':
    case 'declined':
    case 'unavailable':
      return true
    default:
      return false
  }
}
