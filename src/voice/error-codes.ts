import type { EndReason, EndReasonKind } from '#lib/calls/end-reasons.ts'

/** Maps the voice client's numeric codes, old and new, to end reasons (SPEC-8.24, PD-29). */
const endReasonByCode: ReadonlyMap<number, EndReasonKind> = new Map([
  [31208, 'microphone_denied'],
  [31401, 'microphone_denied'],
  [31402, 'microphone_missing'],

  [31201, 'authentication_failed'],
  [31203, 'authentication_failed'],
  [20151, 'authentication_failed'],
  [31202, 'token_invalid'],
  [31204, 'token_invalid'],
  [31207, 'token_invalid'],
  [20101, 'token_invalid'],
  [31205, 'token_expired'],
  [20104, 'token_expired'],

  [31400, 'unrecognised_number'],
  [31404, 'unrecognised_number'],
  [31484, 'unrecognised_number'],
  [31480, 'unavailable'],
  [31408, 'no_answer'],
  [31487, 'no_answer'],
  [31486, 'busy'],
  [31600, 'busy'],
  [31603, 'declined'],
  [31002, 'start_refused'],
  [31206, 'too_many_calls'],

  // Our own codes: what we or a carrier failed at is no matter of the user's network.
  [31904, 'service_failed'],
  [31905, 'failed'],

  [31000, 'media_failed'],
  [53400, 'media_failed'],
  [53402, 'media_failed'],
  [53405, 'media_failed'],
  [31003, 'connection_interrupted'],
  [31005, 'connection_lost'],
  [31009, 'connection_lost'],
  [31209, 'service_restarted'],
  [53000, 'connection_lost'],
  [53001, 'connection_lost'],
])

/** Codes for which our server sends its own rejection message. */
const rejections: ReadonlySet<number> = new Set([31002, 31206])

/** Our own codes too: the page showed the call as free, but it would be charged; or credits would let it through. */
const ownCodes: ReadonlyMap<number, 'not_free' | 'needs_credits'> = new Map([
  [31902, 'not_free'],
  [31903, 'needs_credits'],
])

export interface VoiceFault {
  readonly code: number
  readonly message: string | null
}

/** Maps a fault to an end reason. An unknown code is a failed start before the answer, a lost connection after it. */
export function endReasonOf(fault: VoiceFault, answered: boolean): EndReason {
  if (fault.message !== null && rejections.has(fault.code)) return { kind: 'refused', message: fault.message }
  const own = ownCodes.get(fault.code)
  if (fault.message !== null && own !== undefined) return { kind: own, message: fault.message }
  // Our exchange sends a message when it stops; the client's own 31005 has none.
  if (answered && fault.code === 31005 && fault.message !== null) return { kind: 'service_restarted' }
  const kind = endReasonByCode.get(fault.code)
  if (kind === 'connection_lost' && !answered) return { kind: 'client_disconnected' }
  if (kind === 'service_failed' && answered) return { kind: 'service_restarted' }
  if (kind === 'failed' && answered) return { kind: 'connection_lost' }
  return { kind: kind ?? (answered ? 'connection_lost' : 'start_refused') }
}

interface Reported {
  readonly code?: unknown
  readonly message?: unknown
  readonly explanation?: unknown
  readonly originalError?: unknown
}

/** Reads an error reported or thrown by the voice client; null if it is not one of its own. */
export function faultOf(error: unknown): VoiceFault | null {
  if (!isReported(error)) return null
  const original = isReported(error.originalError) ? error.originalError : {}
  const code = typeof original.code === 'number' ? original.code : error.code
  if (typeof code !== 'number') return null
  const message = typeof original.message === 'string' ? original.message : error.message
  return { code, message: sentence(message, error.explanation) }
}

/** Strips the client's `Name (code): ` prefix; null if only its generic explanation is left. */
function sentence(message: unknown, explanation: unknown): string | null {
  if (typeof message !== 'string') return null
  const text = message.replace(/^\w+ \(\d+\): /, '').trim()
  return text === '' || text === explanation ? null : text
}

function isReported(value: unknown): value is Reported {
  return typeof value === 'object' && value !== null
}
