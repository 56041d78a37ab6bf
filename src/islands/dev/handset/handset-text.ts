import { computed } from 'nanostores'
import { followText, pageWait } from '#shared/real-time-text/follow-text.ts'
import { createTextTalk, type TextConnection } from '#shared/real-time-text/text-talk.ts'
import { $handset, $textMessage, sendText } from './handset.ts'

/** Real-time text of the handset's call. */
export const textTalk = createTextTalk({ send: sendText, wait: pageWait })

const $line = computed($handset, (handset): TextConnection => {
  if (handset.state !== 'talking') return 'none'
  return handset.lost === 'signalling' ? 'lost' : 'open'
})

let following = false

/** Text of an ended call goes when the next one rings, or the number is given up. */
export function followHandsetText(): void {
  if (following) return
  following = true
  followText(textTalk, $line, $textMessage)
  $handset.listen(({ state }) => {
    if (state !== 'talking' && state !== 'waiting') textTalk.clear()
  })
}
