import { computed } from 'nanostores'
import { currentLanguage } from '#lib/i18n/language.ts'
import { pageWait } from '#shared/real-time-text/follow-text.ts'
import { isLive } from '#voice/call.ts'
import { $call, callLine } from '../call/call.ts'
import { createCaptions, isShown } from './captions.ts'
import { findOnDeviceSpeech } from './on-device-speech.ts'

/** Captions of the dialler's call. */
export const callCaptions = createCaptions({
  speech: findOnDeviceSpeech,
  likelyLanguages: () => {
    const call = $call.get()
    const ofCountry = call.state === 'idle' ? [] : [`und-${call.callee.country.isoCode}`]
    return [...ofCountry, currentLanguage()]
  },
  track: callLine.calleeTrack,
  nowMs: () => performance.now(),
  wait: pageWait,
})

/** Whether the user has turned them on. Changes rarely, and their text several times a second. */
export const $areCaptionsShown = computed(callCaptions.$captions, isShown)

/** Asks the browser while it rings, so that nothing moves after the answer. */
export function followCaptions(): void {
  let live = false
  $call.subscribe(call => {
    if (isLive(call) === live) return
    live = isLive(call)
    if (live) void callCaptions.begin()
    else callCaptions.end()
  })
}
