import { formatLength } from '#lib/calls/duration.ts'
import { endReasonTexts } from '#lib/calls/end-reason-texts.ts'
import type { AnswerFault, ClaimRejection, HandsetEnding, LastCall } from '#voice/handset-call.ts'

/** Why a number could not be claimed, and what to do about it. */
export const rejections: Readonly<Record<ClaimRejection, string>> = {
  taken: 'This number is taken by another window. Change a digit.',
  invalid_number: "This isn't a phone number. Type it with its country code: +91 98765 43210.",
  unreachable: "The exchange isn't answering. Check that the server is running, then claim again.",
  microphone_denied:
    'The microphone is blocked. Choose the icon at the left end of the address bar, set Microphone to Allow, then claim again.',
  microphone_missing: 'No microphone found. Connect or switch one on, or choose what it says instead.',
  microphone_busy: 'Another app uses the microphone. Close it, or choose what it says instead.',
  browser_unsupported: endReasonTexts.browser_unsupported,
  page_insecure: endReasonTexts.page_insecure,
}

/** In place of a caller ID. */
export const withheld = 'Unknown number'

/** Why answering failed. The call keeps ringing. */
export const faults: Readonly<Record<AnswerFault, string>> = {
  microphone_denied:
    'The microphone is blocked. Choose the icon at the left end of the address bar, set Microphone to Allow, then press Answer again.',
  microphone_missing: 'No microphone found. Connect or switch one on, then press Answer again.',
  microphone_busy: 'Another app is using the microphone. Close it, then press Answer again.',
  browser_unsupported: endReasonTexts.browser_unsupported,
  page_insecure: endReasonTexts.page_insecure,
  voice_missing: 'The recorded voice did not load. Press Answer to try again.',
}

const endings: Readonly<Record<HandsetEnding, string>> = {
  they_hung_up: 'They hung up.',
  gave_up: 'The caller gave up.',
  hung_up: 'You hung up.',
  declined: 'You declined the call.',
  sound_lost: 'The sound stopped getting through.',
  line_lost: 'The connection to the exchange was lost.',
  exchange_restarted: 'The exchange was restarted, which ended the call.',
}

export function lastCallText({ ending, talkedMs }: LastCall): string {
  // Below 1 s there was no conversation: the caller hung up while it was being answered.
  const talked =
    talkedMs === null || talkedMs < 1000 ? '' : ` Talked ${formatLength(Math.floor(talkedMs / 1000))}.`
  return `${endings[ending]}${talked}`
}

export const lostNumber = {
  taken: 'Another telephone has claimed this number since. Claim it again when it is free, or take another.',
  refused: 'The exchange released this number. Claim it again to receive calls.',
} as const

export const outOfReach = 'The exchange cannot be reached, so nothing rings here. Trying again.'
export const lineLost = 'Connection to the exchange lost. Retrying.'
export const soundLost = 'The sound is lost. Reconnecting.'
