import { type CallObstacle, endReasonText } from '#lib/calls/end-reasons.ts'
import type { Notice } from './notice.ts'
import type { Caution } from './number/caution.ts'
import { texts } from './texts.ts'

/** The status line's message between calls. `role`: an alert interrupts the screen reader, a status waits. */
export interface StatusMessage {
  readonly tone: Notice['tone']
  readonly role: 'alert' | 'status'
  readonly text: string
  /** Announced instead of a text that changes by itself. */
  readonly spoken?: string
  readonly action: 'dismiss' | 'microphone_help' | 'top_up' | 'send_again' | null
  /** Shown elsewhere: only screen readers get it here. */
  readonly spokenOnly?: boolean
}

export interface StatusState {
  readonly notice: Notice | null
  /** That the number in the field is an emergency number; a link to the phone stands in the place of Call. */
  readonly emergency: string | null
  readonly restricted: boolean
  /** The address is known not to be confirmed. */
  readonly unverified: boolean
  /** Call was pressed, but nothing rings yet. */
  readonly placing: boolean
  readonly obstacle: CallObstacle | null
  /** What is to be known before the number in the field is called. */
  readonly caution: Caution | null
}

/** The most urgent message between calls; null for only the call's status. */
export function statusMessage({
  notice,
  emergency,
  restricted,
  unverified,
  placing,
  obstacle,
  caution,
}: StatusState): StatusMessage | null {
  if (restricted) return about('bad', endReasonText({ kind: 'call_blocked' }), null)
  if (placing) return about('info', texts.checking, null)
  if (emergency !== null) return about('bad', emergency, null)
  const verifyText = endReasonText({ kind: 'email_unverified' })
  if (unverified && (notice?.text ?? verifyText) === verifyText)
    return about('warn', verifyText, 'send_again')
  if (notice !== null) return noticeMessage(notice, caution?.kind === 'price' ? caution.text : null)
  if (obstacle !== null) return about('bad', endReasonText({ kind: obstacle }), null)
  if (caution === null) return null
  const { kind, text, spoken } = caution
  return { ...about(kind === 'night' ? 'info' : 'warn', text, null), ...(spoken && { spoken }) }
}

/** Chars that fit into the line at any width. */
const maxLength = 80

/** A price is hidden by nothing but what the user must do before any call. */
function noticeMessage(notice: Notice, price: string | null): StatusMessage {
  const { tone, text, remedy, inReceipt } = notice
  const both = `${text} ${price}`
  const fits = both.length <= maxLength
  if (price === null || (remedy && !fits))
    return inReceipt
      ? { ...about('info', text, null), spokenOnly: true }
      : about(tone, text, actions[remedy ?? 'none'])
  const joins = fits && !inReceipt && notice.about === undefined
  return about('warn', joins ? both : price, joins ? actions[remedy ?? 'none'] : null)
}

/** A fault of the number goes away with the number. */
const actions = { none: 'dismiss', number: null, microphone: 'microphone_help', credits: 'top_up' } as const

function about(tone: Notice['tone'], text: string, action: StatusMessage['action']): StatusMessage {
  return { tone, role: tone === 'info' ? 'status' : 'alert', text, action }
}
