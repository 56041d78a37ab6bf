import { atom } from 'nanostores'
import { lineCheckToken } from '#lib/api/line-check.ts'
import { authorised } from '#session/api.ts'
import { $session, start } from '#session/session.ts'
import { findCallObstacle } from '#voice/call-obstacle.ts'
import type { RunningLineCheck } from '#voice/line-check.ts'
import {
  type ConnectionCheck,
  type LineCheck,
  type MicrophoneCheck,
  newLineCheck,
} from '#voice/line-check-result.ts'
import type { MicrophoneFailure } from '#voice/microphone.ts'
import { playTestTone } from '#voice/test-tone.ts'
import { chosenSound } from './chosen-sound.ts'
import { $microphoneLevel, $triedMicrophone, closeTried, tryMicrophone } from './microphone-level.ts'

/** How many 100 ms samples at `voiceLevel` count as speech. */
const loudLooks = 3
/** Of 100: above room noise, below a soft voice. */
const voiceLevel = 30
/** How long the user may take to speak before the microphone counts as silent. */
const silentAfterMs = 6000

export const $lineCheck = atom<LineCheck>(newLineCheck)

let runs = 0
let running: RunningLineCheck | null = null
let unfollow: () => void = () => undefined

function change(part: Partial<LineCheck>): void {
  $lineCheck.set({ ...$lineCheck.get(), ...part })
}

export function beginLineCheck(): void {
  endLineCheck()
  const run = runs
  $lineCheck.set({ ...newLineCheck, speaker: $lineCheck.get().speaker })
  listen()
  void checkConnection(run)
}

export function endLineCheck(): void {
  runs += 1
  unfollow()
  unfollow = () => undefined
  closeTried()
  running?.stop()
  running = null
}

export function forgetSpeaker(): void {
  change({ speaker: 'untried' })
}

export function retryMicrophone(): void {
  unfollow()
  listen()
}

const failures: Readonly<Record<MicrophoneFailure, MicrophoneCheck>> = {
  microphone_denied: 'denied',
  microphone_missing: 'missing',
  microphone_busy: 'busy',
  browser_unsupported: 'browser_unsupported',
  page_insecure: 'page_insecure',
}

function listen(): void {
  let loud = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const microphone = (state: MicrophoneCheck) => change({ microphone: state })
  const stopLevel = $microphoneLevel.listen(level => {
    const { speaker } = $lineCheck.get()
    // The microphone may pick up the test tone.
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

/** Null: the check was ended. */
async function measure(run: number): Promise<ConnectionCheck | null> {
  if (findCallObstacle() !== null) return { kind: 'failed', why: 'no_calls' }
  await start()
  if (run !== runs) return null
  if ($session.get().status !== 'signed_in') return { kind: 'failed', why: 'signed_out' }
  const credential = await authorised(lineCheckToken, {})
  if (run !== runs) return null
  if (!credential.ok) {
    const isFinal = credential.status >= 400 && credential.status < 500 && credential.status !== 401
    return isFinal
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

export async function tryChosenSpeaker(): Promise<void> {
  if ($lineCheck.get().speaker === 'playing') return
  const run = runs
  change({ speaker: 'playing' })
  const played = await playTestTone(chosenSound('speaker')?.id)
  if (run === runs) change({ speaker: played === 'failed' ? 'failed' : 'asked' })
  else if ($lineCheck.get().speaker === 'playing') change({ speaker: 'untried' })
}

export function confirmHeard(heard: boolean): void {
  change({ speaker: heard ? 'heard' : 'unheard' })
}
