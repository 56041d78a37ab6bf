import { type CallObstacle, endReasonText } from '#lib/calls/end-reasons.ts'
import { texts } from '#lib/texts.ts'
import type { Notice } from './notice.ts'

/** The status line's message between calls. `role`: an alert interrupts the screen reader, a status waits. */
export interface StatusMessage {
  readonly tone: Notice['tone']
  readonly role: 'alert' | 'status'
  readonly text: string
  readonly action: 'dismiss' | 'microphone_help' | 'retry_balance' | 'phone' | null
  /** The number that the action `phone` dials. */
  readonly phone?: string
}

export interface StatusState {
  readonly notice: Notice | null
  readonly restricted: boolean
  /** Call was pressed, but nothing rings yet. */
  readonly placing: boolean
  readonly obstacle: CallObstacle | null
  readonly staleBalance: boolean
  /** The warning about the number in the field. */
  readonly caution: string | null
}

/** The most urgent message between calls; null for only the call's status. */
export function statusMessage({
  notice,
  restricted,
  placing,
  obstacle,
  staleBalance,
  caution,
}: StatusState): StatusMessage | null {
  if (restricted) return about('bad', endReasonText({ kind: 'call_blocked' }), null)
  if (placing) return about('info', 'Checking the number and its price…', null)
  if (notice !== null) return ofNotice(notice)
  if (obstacle !== null) return about('bad', endReasonText({ kind: obstacle }), null)
  if (staleBalance) return about('bad', texts.dialler.credits_failed, 'retry_balance')
  return caution === null ? null : about('warn', caution, null)
}

function ofNotice({ tone, text, remedy, phone }: Notice): StatusMessage {
  if (phone !== undefined) return { ...about(tone, text, 'phone'), phone }
  return about(tone, text, actions[remedy ?? 'none'])
}

/** A fault of the number goes away with the number. */
const actions = { none: 'dismiss', number: null, microphone: 'microphone_help' } as const

function about(tone: Notice['tone'], text: string, action: StatusMessage['action']): StatusMessage {
  return { tone, role: tone === 'info' ? 'status' : 'alert', text, action }
}
