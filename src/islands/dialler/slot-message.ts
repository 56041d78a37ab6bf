import { endingText } from '#lib/rules/call-endings.ts'
import { texts } from '#lib/rules/error-texts.ts'
import type { Notice } from '#stores/notice.ts'

/** The one message in the slot between calls. `role` is how it is announced: an alert interrupts, a status waits. */
export interface SlotMessage {
  readonly tone: Notice['tone']
  readonly role: 'alert' | 'status'
  readonly text: string
  readonly action: 'dismiss' | 'microphone_help' | 'retry_balance' | 'phone' | null
  /** What the action `phone` dials. */
  readonly phone?: string
}

export interface SlotState {
  readonly notice: Notice | null
  readonly restricted: boolean
  /** Call was pressed, and nothing rings yet. */
  readonly placing: boolean
  readonly staleBalance: boolean
  /** What there is to say about the number in the field. */
  readonly caution: string | null
}

/** What the slot says between calls: one message at a time, the most pressing one. Null: only the call's status. */
export function slotMessage({
  notice,
  restricted,
  placing,
  staleBalance,
  caution,
}: SlotState): SlotMessage | null {
  if (restricted) return about('bad', endingText({ kind: 'call_blocked' }), null)
  if (placing) return about('info', 'Checking the number and its price…', null)
  if (notice !== null) return ofNotice(notice)
  if (staleBalance) return about('bad', texts.dialler.credits_failed, 'retry_balance')
  return caution === null ? null : about('warn', caution, null)
}

function ofNotice({ tone, text, remedy, phone }: Notice): SlotMessage {
  if (phone !== undefined) return { ...about(tone, text, 'phone'), phone }
  return about(tone, text, actions[remedy ?? 'none'])
}

/** What is wrong with a number goes away with the number. */
const actions = { none: 'dismiss', number: null, microphone: 'microphone_help' } as const

function about(tone: Notice['tone'], text: string, action: SlotMessage['action']): SlotMessage {
  return { tone, role: tone === 'info' ? 'status' : 'alert', text, action }
}
