import { type AnsweredCall, type Call, isAnswered } from '#voice/call.ts'
import { typableDigits } from '#voice/digits.ts'
import { type LineQuality, lineAdvice } from '#voice/quality.ts'
import { qualityTexts } from '#voice/quality-texts.ts'
import type { Digits } from './call.ts'
import { texts } from './texts.ts'

/** The status line's message during a call. `role`: an alert interrupts the screen reader, a status waits. */
export interface CallNote {
  readonly tone: 'info' | 'warn'
  readonly role: 'alert' | 'status'
  readonly icon: 'warning' | 'info' | 'reconnecting' | 'digits' | 'muted'
  readonly text: string
  /** Announced instead of a text that changes constantly. */
  readonly spoken?: string
  readonly action: 'cancel_digits' | 'top_up' | 'resume' | null
}

export interface CallNoteState {
  readonly call: Call
  readonly digits: Digits
  readonly quality: LineQuality
  /** The call is charged and the balance is low. */
  readonly lowCredits: boolean
  /** Auto top-up has failed. */
  readonly notToppedUp: boolean
  /** Less than a minute is left until the carrier ends the call. */
  readonly lastMinute: boolean
  /** The browser's permission prompt for the microphone is open. */
  readonly asksMicrophone?: boolean
}

/** More digits than a person clicks at once are shown, as are pauses. */
const longBurst = 4

/** The most urgent message in a call; null for only the call's status. */
export function callNote(state: CallNoteState): CallNote | null {
  const { call, digits, quality, lowCredits, notToppedUp, lastMinute, asksMicrophone } = state
  if (call.state === 'preparing' && asksMicrophone) return note(texts.allowMicrophone)
  if (!isAnswered(call)) return null
  if (call.state === 'reconnecting') {
    const text = call.lost === 'signalling' ? texts.noConnection : texts.reconnecting
    return { ...warning(text), icon: 'reconnecting' }
  }
  if (!call.receivingAudio) return warning(texts.noSound)
  if (call.microphone === 'lost') return { ...warning(texts.noMicrophone), action: 'resume' }
  if (call.microphone === 'interrupted') return { ...warning(texts.interrupted), action: 'resume' }
  if (quality.microphoneSilent && !quality.microphoneWorked) return warning(qualityTexts.microphoneSilent)
  // Digits are brief, and sending must be visible to be cancelled.
  const { burst, waiting } = digits
  if (waiting !== '' && (burst.total >= longBurst || burst.pauses > 0 || playsExtension(call, digits)))
    return { ...note(sending(digits)), spoken: texts.sendingSpoken, icon: 'digits', action: 'cancel_digits' }
  // Before low credits, which lasts for the rest of the call: an unheard voice is worse.
  if (quality.microphoneSilent) return { ...warning(qualityTexts.microphoneSilent), role: 'status' }
  // Why auto top-up has failed is shown between calls and sent by e-mail.
  if (lowCredits) return { ...warning(notToppedUp ? texts.topUpFailed : texts.lowCredits), action: 'top_up' }
  // A fixed text, because the countdown beside the cost is not announced.
  if (lastMinute) return note(texts.lastMinute)
  if (call.microphone === 'changed') return note(texts.microphoneChanged)
  if (call.muted) return { ...note(texts.muted), icon: 'muted' }
  const advice = lineAdvice(quality)
  return advice === null ? null : { ...warning(advice), role: 'status' }
}

/** Nobody typed these digits: they are played after the answer. */
function playsExtension({ callee }: AnsweredCall, { sent }: Digits): boolean {
  return sent.length < typableDigits(callee.extension).length
}

/** Progress of the digits; the microphone is silent meanwhile. */
function sending({ burst, refused }: Digits): string {
  const progress = { sent: String(burst.sent), total: String(burst.total) }
  return refused > 0
    ? texts.sendingWithout({ ...progress, refused: String(refused) })
    : texts.sending(progress)
}

function warning(text: string): CallNote {
  return { tone: 'warn', role: 'alert', icon: 'warning', text, action: null }
}

function note(text: string): CallNote {
  return { tone: 'info', role: 'status', icon: 'info', text, action: null }
}
