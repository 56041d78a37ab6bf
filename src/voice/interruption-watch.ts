import { uninterrupted, watchInterruption } from './interruption.ts'

const lookMs = 500

/** What plays the callee. */
export interface Playback {
  readonly elements: readonly HTMLMediaElement[]
  readonly context: AudioContext | null
}

export interface InterruptionPorts {
  readonly microphone: () => MediaStreamTrack | undefined
  readonly playback: () => Playback
  readonly reopen: () => void
  /** Called at each look while only a press helps, and once when that is over. */
  readonly notify: (interrupted: boolean) => void
}

/** Where the user muted the call, Safari mutes the microphone itself. */
function isSilenced({ muted, enabled }: MediaStreamTrack): boolean {
  return muted && enabled
}

/** Resumes the sound after another call, an alarm or a frozen page. @returns stops watching */
export function followInterruptions({ microphone, playback, reopen, notify }: InterruptionPorts): () => void {
  let state = uninterrupted

  /** Tried at each look: the system refuses it while another call has the speaker, and some browsers without a press. */
  function play({ elements, context }: Playback): void {
    for (const element of elements) if (element.paused) void element.play().catch(() => undefined)
    if (context !== null && context.state !== 'running' && context.state !== 'closed')
      void context.resume().catch(() => undefined)
  }

  function look(): void {
    const track = microphone()
    const current = playback()
    const { notified } = state
    const mended = watchInterruption(
      state,
      {
        microphone: track?.readyState !== 'live' ? 'ended' : isSilenced(track) ? 'muted' : 'live',
        playing: current.elements.every(({ paused }) => !paused),
        visible: document.visibilityState === 'visible',
      },
      performance.now(),
    )
    state = mended.next
    play(current)
    if (mended.reopen) reopen()
    if (state.notified || notified) notify(state.notified)
  }

  const stopping = new AbortController()
  const { signal } = stopping
  const timer = setInterval(look, lookMs)
  // `resume` follows a freeze. Any press allows what needs one.
  for (const event of ['visibilitychange', 'resume', 'click'])
    document.addEventListener(event, look, { signal })
  return () => {
    stopping.abort()
    clearInterval(timer)
  }
}
