import { texts } from './error-texts.ts'

/** Why a call ended, or never began, and the sentence for each. */
export const endings = texts.calls

export type EndingKind = keyof typeof endings

/** An ending without details, or a refusal in the server's own words; `not_free`: the page had promised a free call. */
export type CallEnding =
  | { readonly kind: EndingKind }
  | { readonly kind: 'refused' | 'not_free'; readonly message: string }

/** Why no call token was given (specification sections 7 and 8). `status` 0: no answer came. */
export function tokenEnding(status: number, reason: string | undefined): CallEnding {
  if (status === 402) return { kind: 'no_credits' }
  if (status === 403) return { kind: reason === 'call_blocked' ? 'call_blocked' : 'email_unverified' }
  if (status === 401) return { kind: 'authentication_failed' }
  return { kind: 'token_failed' }
}

export function endingText(ending: CallEnding): string {
  return 'message' in ending ? ending.message : endings[ending.kind]
}

/** Whether the call went its ordinary way: somebody hung up, or nobody could or would answer. */
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
