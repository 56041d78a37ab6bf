import { type Call, isAnswered, isLive, type LiveCall } from '#lib/rules/call.ts'
import { endingText } from '#lib/rules/call-endings.ts'
import { texts } from '#lib/rules/error-texts.ts'
import type { Digits } from '#stores/call.ts'
import type { Notice } from '#stores/notice.ts'

/** The one message in the slot. `role` is how it is announced: an alert interrupts, a status waits. */
export interface SlotMessage {
  readonly tone: Notice['tone']
  readonly role: 'alert' | 'status'
  readonly icon: 'alert' | 'warning' | 'info' | 'reconnecting' | 'digits' | 'muted'
  readonly text: string
  readonly action: 'dismiss' | 'cancel_digits' | 'microphone_help' | 'retry_balance' | 'phone' | null
  /** What the action `phone` dials. */
  readonly phone?: string
}

export interface SlotState {
  readonly call: Call
  readonly digits: Digits
  readonly notice: Notice | null
  readonly restricted: boolean
  readonly staleBalance: boolean
  /** The call is charged, and little is left to charge. */
  readonly lowCredits: boolean
  /** What there is to say about the number in the field. */
  readonly caution: string | null
}

/** Digits under way are worth words when there are more than a person clicks at a time. */
const longBurst = 4

/** What the slot says: one message at a time, the most pressing one. Null: only the call's status. */
export function slotMessage(state: SlotState): SlotMessage | null {
  if (isLive(state.call)) return inCall(state.call, state)
  if (state.restricted) return about('bad', endingText({ kind: 'call_blocked' }), null)
  if (state.notice !== null) return ofNotice(state.notice)
  if (state.staleBalance) return about('bad', texts.dialler.credits_failed, 'retry_balance')
  return state.caution === null ? null : about('warn', state.caution, null)
}

function inCall(call: LiveCall, { digits, lowCredits, notice }: SlotState): SlotMessage | null {
  if (!isAnswered(call)) return null
  if (call.state === 'reconnecting') {
    const text =
      call.lost === 'signalling'
        ? 'Connection to the service lost. Retrying.'
        : 'Reconnecting. Stay on the line.'
    return { tone: 'warn', role: 'alert', icon: 'reconnecting', text, action: null }
  }
  if (!call.hears) return about('warn', 'No sound comes from the other end. Hang up if it stays so.', null)
  if (call.microphone === 'lost') return about('warn', 'No microphone: they cannot hear you.', null)
  // They pass by themselves, and what is under way must be there to be cancelled.
  const { burst, waiting, refused } = digits
  if (waiting !== '' && burst.total >= longBurst) {
    const left = refused > 0 ? `, ${refused} left out` : ''
    const text = `Sending ${burst.sent} of ${burst.total}${left}`
    return { tone: 'info', role: 'status', icon: 'digits', text, action: 'cancel_digits' }
  }
  if (lowCredits) {
    const { low_credits, low_credits_not_topped_up } = texts.dialler
    return about('warn', notice?.about === 'top_up' ? low_credits_not_topped_up : low_credits, null)
  }
  if (call.microphone === 'changed') return about('info', 'Another microphone took over.', null)
  if (!call.muted) return null
  return { tone: 'info', role: 'status', icon: 'muted', text: 'Muted. They cannot hear you.', action: null }
}

function ofNotice({ tone, text, remedy, phone }: Notice): SlotMessage {
  if (phone !== undefined) return { ...about(tone, text, 'phone'), phone }
  return about(tone, text, actions[remedy ?? 'none'])
}

/** What is wrong with a number goes away with the number. */
const actions = { none: 'dismiss', number: null, microphone: 'microphone_help' } as const

const icons = { info: 'info', warn: 'warning', bad: 'alert' } as const

function about(tone: Notice['tone'], text: string, action: SlotMessage['action']): SlotMessage {
  return { tone, role: tone === 'info' ? 'status' : 'alert', icon: icons[tone], text, action }
}
