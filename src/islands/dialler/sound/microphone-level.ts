import { atom } from 'nanostores'
import { endReasonTexts } from '#lib/calls/end-reason-texts.ts'
import { isLive } from '#voice/call.ts'
import { watchLevel } from '#voice/level-meter.ts'
import { closeMicrophone, type MicrophoneFailure, openMicrophone } from '#voice/microphone.ts'
import { callLine } from '../call/call.ts'
import { chosenSound } from './chosen-sound.ts'
import { microphoneTexts } from './sound-texts.ts'

export type TriedMicrophone =
  | { readonly state: 'closed' }
  | { readonly state: 'asking' }
  /** `label`: the browser's name for it. */
  | { readonly state: 'open'; readonly label: string }
  | { readonly state: 'failed'; readonly code: MicrophoneFailure }

/** Why the microphone failed when tried, and what to do about it. */
export function microphoneTrouble(code: MicrophoneFailure): string {
  return code === 'browser_unsupported' || code === 'page_insecure'
    ? endReasonTexts[code]
    : microphoneTexts[code]
}

/** The microphone being tested outside a call, or the call's own. */
export const $triedMicrophone = atom<TriedMicrophone>({ state: 'closed' })
/** From 0 to 100. */
export const $microphoneLevel = atom(0)

let tries = 0
let stop: () => void = () => undefined

/** Measures until `closeTried`; in a call, its own stream, as some browsers silence one stream when opening another. */
export async function tryMicrophone(): Promise<void> {
  closeTried()
  const current = tries
  const inCall = callLine.microphone()
  if (inCall !== null) return watch(inCall, false)
  // The call is about to open the microphone itself.
  if (isLive(callLine.$call.get())) return
  $triedMicrophone.set({ state: 'asking' })
  const opened = await openMicrophone(chosenSound('microphone')?.id)
  if (current !== tries) {
    if (opened.ok) closeMicrophone(opened.value)
    return
  }
  if (opened.ok) watch(opened.value, true)
  else $triedMicrophone.set({ state: 'failed', code: opened.code })
}

export function tryChosenMicrophone(): void {
  if ($triedMicrophone.get().state !== 'closed') void tryMicrophone()
}

function watch(stream: MediaStream, own: boolean): void {
  const unwatch = watchLevel(stream, level => $microphoneLevel.set(level))
  const [track] = stream.getAudioTracks()
  const lost = () => void tryMicrophone()
  track?.addEventListener('ended', lost)
  stop = () => {
    track?.removeEventListener('ended', lost)
    unwatch()
    if (own) closeMicrophone(stream)
  }
  $triedMicrophone.set({ state: 'open', label: track?.label ?? '' })
}

export function closeTried(): void {
  tries += 1
  stop()
  stop = () => undefined
  $microphoneLevel.set(0)
  $triedMicrophone.set({ state: 'closed' })
}
