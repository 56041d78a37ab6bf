import { atom } from 'nanostores'
import { isLive } from '#lib/rules/call.ts'
import { watchLevel } from '#voice/level-meter.ts'
import { closeMicrophone, type MicrophoneFailure, openMicrophone } from '#voice/microphone.ts'
import { callLine } from './call.ts'
import { chosenSound } from './chosen-sound.ts'

export type TriedMicrophone =
  | { readonly state: 'closed' }
  | { readonly state: 'asking' }
  /** `label` is what the browser calls it. */
  | { readonly state: 'open'; readonly label: string }
  | { readonly state: 'failed'; readonly code: MicrophoneFailure }

/** The microphone that somebody tries outside of a call, or the call's own. Written here alone. */
export const $triedMicrophone = atom<TriedMicrophone>({ state: 'closed' })
/** How loud it is, 0 to 100. */
export const $microphoneLevel = atom(0)

let tries = 0
let stop: () => void = () => undefined

/**
 * Opens the chosen microphone and watches how loud it is, until `closeTried`. In a call the call's own is watched: some
 * browsers silence one stream when another is opened.
 */
export async function tryMicrophone(): Promise<void> {
  closeTried()
  const current = tries
  const inCall = callLine.microphone()
  if (inCall !== null) return watch(inCall, false)
  // The call is about to open it.
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

/** The same for another microphone that was chosen, unless nobody looks any more. */
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

/** Lets go of the microphone at once. */
export function closeTried(): void {
  tries += 1
  stop()
  stop = () => undefined
  $microphoneLevel.set(0)
  $triedMicrophone.set({ state: 'closed' })
}
