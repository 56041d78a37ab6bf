import { computed } from 'nanostores'
import { followText, pageWait } from '#shared/real-time-text/follow-text.ts'
import { createTextTalk, type TextConnection } from '#shared/real-time-text/text-talk.ts'
import { isAnswered } from '#voice/call.ts'
import { $call, callLine } from './call.ts'

/** Real-time text of the dialler's call. */
export const textTalk = createTextTalk({ send: message => callLine.sendText(message), wait: pageWait })

const $line = computed($call, (call): TextConnection => {
  if (!isAnswered(call)) return 'none'
  return call.state === 'reconnecting' && call.lost === 'signalling' ? 'lost' : 'open'
})

export function followTypedText(): void {
  followText(textTalk, $line, callLine.$textMessage)
}
