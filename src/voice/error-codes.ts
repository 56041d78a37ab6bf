import type { CallEnding, EndingKind } from '#lib/rules/call-endings.ts'

/**
 * The voice client's numeric codes, the older family and the newer one, folded into our conditions
 * (specification section 8; decision 29).
 */
const endingByCode: ReadonlyMap<number, EndingKind> = new Map([
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

/** Codes with which our server refuses a call in words of its own. */
const refusals: ReadonlySet<number> = new Set([31002, 31206])

/** Ours alone: a call that the page promised to be free would be charged. */
const notFreeCode = 31902

/** An error of the voice client, as far as we read it. */
export interface VoiceFault {
  readonly code: number
  /** The server's sentence, where it sent one. */
  readonly message: string | null
}

/** The condition behind a fault. An unknown code is a refused start before the answer, a lost line after it. */
export function endingOf(fault: VoiceFault, answered: boolean): CallEnding {
  if (fault.message !== null && refusals.has(fault.code)) return { kind: 'refused', message: fault.message }
  if (fault.message !== null && fault.code === notFreeCode)
    return { kind: 'not_free', message: fault.message }
  // Our exchange says goodbye in words when it stops; the client's own 31005 has none.
  if (answered && fault.code === 31005 && fault.message !== null) return { kind: 'service_restarted' }
  const kind = endingByCode.get(fault.code)
  if (kind === 'connection_lost' && !answered) return { kind: 'client_disconnected' }
  return { kind: kind ?? (answered ? 'connection_lost' : 'start_refused') }
}

/** What an error of the voice client may hold. */
interface Reported {
  readonly code?: unknown
  readonly message?: unknown
  readonly explanation?: unknown
  readonly originalError?: unknown
}

/** Reads an error that the voice client reported or threw; null when it is none of its own. */
export function faultOf(error: unknown): VoiceFault | null {
  if (!isReported(error)) return null
  const original = isReported(error.originalError) ? error.originalError : {}
  const code = typeof original.code === 'number' ? original.code : error.code
  if (typeof code !== 'number') return null
  const message = typeof original.message === 'string' ? original.message : error.message
  return { code, message: sentence(message, error.explanation) }
}

/** The client writes `Name (code): sentence`, and its own explanation where the server sent none. */
function sentence(message: unknown, explanation: unknown): string | null {
  if (typeof message !== 'string') return null
  const text = message.replace(/^\w+ \(\d+\): /, '').trim()
  return text === '' || text === explanation ? null : text
}

function isReported(value: unknown): value is Reported {
  return typeof value === 'object' && value !== null
}
