import { type Call, isAnswered, isLive } from '#lib/rules/call.ts'
import { endingText } from '#lib/rules/call-endings.ts'
import type { Digits } from '#stores/call.ts'
import type { Notice } from '#stores/notice.ts'

/** The one message in the slot. `role` is how it is announced: an alert interrupts, a status waits. */
export interface SlotMessage {
  readonly tone: Notice['tone']
  readonly role: 'alert' | 'status'
  readonly icon: 'alert' | 'warning' | 'info' | 'reconnecting' | 'digits' | 'muted'
  readonly text: string
  readonly action: 'dismiss' | 'cancel_digits' | 'microphone_help' | 'retry_balance' | null
}

export interface SlotState {
  readonly call: Call
  readonly digits: Digits
  readonly notice: Notice | null
  readonly restricted: boolean
  readonly staleBalance: boolean
}

/** Digits under way are worth words when there are more than a person clicks at a time. */
const longBurst = 4

/** What the slot says: one message at a time, the most pressing one. Null: only the call's status. */
export function slotMessage(state: SlotState): SlotMessage | null {
  if (isLive(state.call)) return inCall(state.call, state.digits)
  if (state.restricted) return about('bad', endingText({ kind: 'call_blocked' }), null)
  if (state.notice !== null) return ofNotice(state.notice)
  if (state.staleBalance) return about('bad', 'Error when fetching credits.', 'retry_balance')
  return null
}

function inCall(call: Call, { burst, waiting, refused }: Digits): SlotMessage | null {
  if (!isAnswered(call)) return null
  if (call.state === 'reconnecting') {
    const text =
      call.lost === 'signalling'
        ? 'Connection to the service lost. Retrying.'
        : 'Reconnecting. Stay on the line.'
    return { tone: 'warn', role: 'alert', icon: 'reconnecting', text, action: null }
  }
  if (!call.hears) return about('warn', 'No sound comes from the other end. Hang up if it stays so.', null)
  if (waiting !== '' && burst.total >= longBurst) {
    const left = refused > 0 ? `, ${refused} left out` : ''
    const text = `Sending ${burst.sent} of ${burst.total}${left}`
    return { tone: 'info', role: 'status', icon: 'digits', text, action: 'cancel_digits' }
  }
  if (!call.muted) return null
  return { tone: 'info', role: 'status', icon: 'muted', text: 'Muted. They cannot hear you.', action: null }
}

function ofNotice({ tone, text, remedy }: Notice): SlotMessage {
  return about(tone, text, actions[remedy ?? 'none'])
}

/** What is wrong with a number goes away with the number. */
const actions = { none: 'dismiss', number: null, microphone: 'microphone_help' } as const

const icons = { info: 'info', warn: 'warning', bad: 'alert' } as const

function about(tone: Notice['tone'], text: string, action: SlotMessage['action']): SlotMessage {
  return { tone, role: tone === 'info' ? 'status' : 'alert', icon: icons[tone], text, action }
}
