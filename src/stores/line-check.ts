import { atom } from 'nanostores'
import { lineCheckToken } from '#lib/api/line-check.ts'
import {
  type ConnectionCheck,
  type LineCheck,
  type MicrophoneCheck,
  newLineCheck,
} from '#lib/rules/line-check.ts'
import type { RunningLineCheck } from '#voice/line-check.ts'
import type { MicrophoneFailure } from '#voice/microphone.ts'
import { playTestTone } from '#voice/test-tone.ts'
import { authorised } from './api.ts'
import { chosenSound } from './chosen-sound.ts'
import { $microphoneLevel, $triedMicrophone, closeTried, tryMicrophone } from './microphone-level.ts'
import { $session, start } from './session.ts'

/** Looks of a tenth of a second as loud as a voice that make one. */
const loudLooks = 3
/** Of 100: above a room, below somebody who speaks softly. */
const voiceLevel = 30
/** For so long somebody may find what to say before we call it silence. */
const silentAfterMs = 6000

/** The check of the line that somebody looks at. Written here alone. */
export const $lineCheck = atom<LineCheck>(newLineCheck)

let runs = 0
let running: RunningLineCheck | null = null
let unfollow: () => void = () => undefined

function change(part: Partial<LineCheck>): void {
  $lineCheck.set({ ...$lineCheck.get(), ...part })
}

/** Begins a check anew: microphone and connection at once. What was said of the speaker stays. */
export function beginLineCheck(): void {
  endLineCheck()
  const run = runs
  $lineCheck.set({ ...newLineCheck, speaker: $lineCheck.get().speaker })
  listen()
  void checkConnection(run)
}

/** Ends it, and lets go of the microphone and the line at once. */
export function endLineCheck(): void {
  runs += 1
  unfollow()
  unfollow = () => undefined
  closeTried()
  running?.stop()
  running = null
}

/** Nothing is known of the speaker any more. */
export function forgetSpeaker(): void {
  change({ speaker: 'untried' })
}

/** Opens the microphone once more. */
export function retryMicrophone(): void {
  unfollow()
  listen()
}

const failures: Readonly<Record<MicrophoneFailure, MicrophoneCheck>> = {
  microphone_denied: 'denied',
  microphone_missing: 'missing',
  microphone_busy: 'busy',
}

function listen(): void {
  let loud = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const microphone = (state: MicrophoneCheck) => change({ microphone: state })
  const stopLevel = $microphoneLevel.listen(level => {
    const { speaker } = $lineCheck.get()
    // The tone of the speaker is no voice.
    if (level < voiceLevel || speaker === 'playing') return
    loud += 1
    if (loud < loudLooks) return
    clearTimeout(timer)
    if ($lineCheck.get().microphone !== 'hears') microphone('hears')
  })
  const stopState = $triedMicrophone.listen(tried => {
    clearTimeout(timer)
    if (tried.state === 'closed') return
    if (tried.state === 'failed') return microphone(failures[tried.code])
    if (tried.state === 'asking') return microphone('asking')
    loud = 0
    microphone('listening')
    timer = setTimeout(() => microphone('silent'), silentAfterMs)
  })
  unfollow = () => {
    clearTimeout(timer)
    stopLevel()
    stopState()
  }
  void tryMicrophone()
}

async function checkConnection(run: number): Promise<void> {
  const connection = await measure(run)
  if (connection !== null && run === runs) change({ connection })
}

/** Null: somebody ended it. */
async function measure(run: number): Promise<ConnectionCheck | null> {
  await start()
  if (run !== runs) return null
  if ($session.get().status !== 'signed_in') return { kind: 'failed', why: 'signed_out' }
  const credential = await authorised(lineCheckToken, {})
  if (run !== runs) return null
  if (!credential.ok) {
    const told = credential.status >= 400 && credential.status < 500 && credential.status !== 401
    return told
      ? { kind: 'failed', why: 'told', message: credential.message }
      : { kind: 'failed', why: credential.status === 401 ? 'signed_out' : 'unreachable' }
  }
  try {
    const { loadLineCheck } = await import('#voice/line-check.ts')
    const startLineCheck = await loadLineCheck(credential.value.route)
    if (run !== runs) return null
    running = startLineCheck(credential.value)
  } catch (error) {
    console.error('The voice client did not load.', error)
    return { kind: 'failed', why: 'unreachable' }
  }
  const outcome = await running.outcome
  return outcome.kind === 'measured'
    ? { kind: 'measured', figures: outcome.figures }
    : { kind: 'failed', why: outcome.kind }
}

/** Plays a tone on the chosen speaker, and asks whether it was heard. */
export async function tryChosenSpeaker(): Promise<void> {
  if ($lineCheck.get().speaker === 'playing') return
  const run = runs
  change({ speaker: 'playing' })
  const played = await playTestTone(chosenSound('speaker')?.id)
  if (run === runs) change({ speaker: played === 'failed' ? 'failed' : 'asked' })
  else if ($lineCheck.get().speaker === 'playing') change({ speaker: 'untried' })
}

/** What the user says of the tone. */
export function sayHeard(heard: boolean): void {
  change({ speaker: heard ? 'heard' : 'unheard' })
}
