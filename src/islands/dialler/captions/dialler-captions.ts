import { currentLanguage } from '#lib/i18n/language.ts'
import { pageWait } from '#shared/real-time-text/follow-text.ts'
import { isLive } from '#voice/call.ts'
import { $call, callLine } from '../call/call.ts'
import { createCaptions } from './captions.ts'
import { findOnDeviceSpeech } from './on-device-speech.ts'

/** Captions of the dialler's call. */
export const captionTalk = createCaptions({
  speech: findOnDeviceSpeech,
  pageLanguage: currentLanguage,
  track: callLine.calleeTrack,
  nowMs: () => performance.now(),
  wait: pageWait,
})

/** Asks the browser while it rings, so that nothing moves after the answer. */
export function followCaptions(): void {
  let live = false
  $call.subscribe(call => {
    if (isLive(call) === live) return
    live = isLive(call)
    if (live) void captionTalk.begin()
    else captionTalk.end()
  })
}
