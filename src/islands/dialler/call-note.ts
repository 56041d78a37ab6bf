import { type AnsweredCall, type Call, isAnswered } from '#lib/rules/call.ts'
import { typableDigits } from '#lib/rules/digits.ts'
import { texts } from '#lib/rules/error-texts.ts'
import { type LineQuality, lineAdvice, microphoneSilentMessage } from '#lib/rules/quality.ts'
import type { Digits } from '#stores/call.ts'

/** The one message in the slot during a call. `role` is how it is announced: an alert interrupts, a status waits. */
export interface CallNote {
  readonly tone: 'info' | 'warn'
  readonly role: 'alert' | 'status'
  readonly icon: 'warning' | 'info' | 'reconnecting' | 'digits' | 'muted'
  readonly text: string
  /** Announced instead of the text, which changes all the time. */
  readonly spoken?: string
  readonly action: 'cancel_digits' | null
}

export interface CallNoteState {
  readonly call: Call
  readonly digits: Digits
  readonly quality: LineQuality
  /** The call is charged, and little is left to charge. */
  readonly lowCredits: boolean
  /** Automatic top-up has brought nothing. */
  readonly notToppedUp: boolean
  /** Less than a minute is left until the network ends the call. */
  readonly lastMinute: boolean
  /** The browser asks whether this page may use the microphone. */
  readonly asksMicrophone?: boolean
}

/** Digits under way are worth words when there are more than a person clicks at a time, or pauses between them. */
const longBurst = 4

/** What the slot says in a call: one message at a time, the most pressing one. Null: only the call's status. */
export function callNote(state: CallNoteState): CallNote | null {
  const { call, digits, quality, lowCredits, notToppedUp, lastMinute, asksMicrophone } = state
  if (call.state === 'preparing' && asksMicrophone)
    return news('Allow the microphone so that they can hear you.')
  if (!isAnswered(call)) return null
  if (call.state === 'reconnecting') {
    const text =
      call.lost === 'signalling'
        ? 'Connection to the service lost. Retrying.'
        : 'Reconnecting. Stay on the line.'
    return { ...warning(text), icon: 'reconnecting' }
  }
  if (!call.hears) return warning('No sound comes from them. Hang up if it stays so.')
  if (call.microphone === 'lost') return warning('No microphone: they cannot hear you.')
  if (quality.microphoneSilent && !quality.microphoneWorked) return warning(microphoneSilentMessage)
  // They pass by themselves, and what is under way must be there to be cancelled.
  const { burst, waiting } = digits
  if (waiting !== '' && (burst.total >= longBurst || burst.pauses > 0 || playsExtension(call, digits)))
    return { ...news(sending(digits)), spoken: sendingSpoken, icon: 'digits', action: 'cancel_digits' }
  // Before the credits, of which one is told for the rest of the call: to speak unheard is worse.
  if (quality.microphoneSilent) return { ...warning(microphoneSilentMessage), role: 'status' }
  if (lowCredits) {
    const { low_credits, low_credits_not_topped_up } = texts.dialler
    return warning(notToppedUp ? low_credits_not_topped_up : low_credits)
  }
  // In words that stay: the time beside the cost counts down, and nobody is told of it.
  if (lastMinute) return news('Less than 1 minute left.')
  if (call.microphone === 'changed') return news('Another microphone took over.')
  if (call.muted) return { ...news('Muted. They cannot hear you.'), icon: 'muted' }
  const advice = lineAdvice(quality)
  return advice === null ? null : { ...warning(advice), role: 'status' }
}

const sendingSpoken = 'Sending digits. Microphone off.'

/** Nobody has typed these: they go by themselves after the answer. */
function playsExtension({ callee }: AnsweredCall, { sent }: Digits): boolean {
  return sent.length < typableDigits(callee.extension).length
}

/** How far the digits are, and that nothing is heard from here meanwhile. */
function sending({ burst, refused }: Digits): string {
  const progress = `Sending ${burst.sent} of ${burst.total}`
  return refused > 0 ? `${progress}, ${refused} left out` : `${progress}. Microphone off.`
}

function warning(text: string): CallNote {
  return { tone: 'warn', role: 'alert', icon: 'warning', text, action: null }
}

function news(text: string): CallNote {
  return { tone: 'info', role: 'status', icon: 'info', text, action: null }
}
