import { keyTone } from '#lib/calls/dtmf.ts'
import { failure, type Result, success } from '#lib/result.ts'
import { closeMicrophone, type MicrophoneFailure, openMicrophone } from './microphone.ts'

export type Says = 'microphone' | 'voice' | 'tone'

export interface HandsetSound {
  readonly stream: MediaStream
  /** Sends the tone of a key (0-9, `*`, `#`) and plays it softly here; mutes the rest meanwhile. */
  press(key: string): void
  setMuted(muted: boolean): void
  close(): void
}

export type SoundFailure = MicrophoneFailure | 'voice_missing'

/** Synthetic speech, made by scripts/make-handset-voice.sh. */
const voiceFile = '/sounds/handset-voice.wav'
const toneHz = 1000
/** Amplitudes, full scale 1: the tone about as loud as speech. */
const toneLevel = 0.25
const keyLevel = 0.2
const keyHereLevel = 0.03
const keySeconds = 0.2
const restSeconds = 0.1
/** Long enough to avoid clicks. */
const rampSeconds = 0.005

let shared: AudioContext | undefined

/** Call it in a user gesture, when browsers allow audio; until then the context is silent without an error. */
export function audioContext(): AudioContext {
  shared ??= new AudioContext()
  // An iPhone has `interrupted` as well as `suspended`.
  if (shared.state !== 'running') void shared.resume().catch(() => undefined)
  return shared
}

/** For a user gesture that precedes the audio. */
export function prepareSound(): void {
  audioContext()
}

interface Source {
  readonly node: AudioNode
  stop(): void
}

async function openSource(context: AudioContext, says: Says): Promise<Result<Source, SoundFailure>> {
  switch (says) {
    case 'microphone': {
      const microphone = await openMicrophone()
      if (!microphone.ok) return microphone
      const { value } = microphone
      return success({ node: context.createMediaStreamSource(value), stop: () => closeMicrophone(value) })
    }
    case 'voice': {
      const buffer = await loadVoice(context)
      if (buffer === null) return failure('voice_missing')
      const node = new AudioBufferSourceNode(context, { buffer, loop: true })
      node.start()
      return success({ node, stop: () => node.stop() })
    }
    case 'tone': {
      const oscillator = new OscillatorNode(context, { frequency: toneHz })
      const node = new GainNode(context, { gain: toneLevel })
      oscillator.connect(node)
      oscillator.start()
      return success({ node, stop: () => oscillator.stop() })
    }
    default:
      return says satisfies never
  }
}

async function loadVoice(context: AudioContext): Promise<AudioBuffer | null> {
  try {
    const response = await fetch(voiceFile)
    return response.ok ? await context.decodeAudioData(await response.arrayBuffer()) : null
  } catch {
    return null
  }
}

/** Opens the audio for the caller; only `microphone` prompts. Close it after the call. */
export async function openHandsetSound(says: Says): Promise<Result<HandsetSound, SoundFailure>> {
  const context = audioContext()
  const opened = await openSource(context, says)
  if (!opened.ok) return opened
  const source = opened.value
  const out = context.createMediaStreamDestination()
  // Separate gains for mute and keys, so that neither needs the other's state.
  const voice = new GainNode(context)
  const beneathKeys = new GainNode(context)
  let freeAt = 0
  source.node.connect(voice).connect(beneathKeys).connect(out)

  return success({
    stream: out.stream,
    press(key) {
      const begin = Math.max(context.currentTime, freeAt)
      const end = begin + keySeconds
      freeAt = end + restSeconds
      beneathKeys.gain.setTargetAtTime(0, begin, rampSeconds)
      beneathKeys.gain.setTargetAtTime(1, end, rampSeconds)
      for (const [target, level] of [
        [out, keyLevel],
        [context.destination, keyHereLevel],
      ] as const) {
        const gain = new GainNode(context, { gain: 0 })
        gain.gain.setTargetAtTime(level, begin, rampSeconds)
        gain.gain.setTargetAtTime(0, end - 4 * rampSeconds, rampSeconds)
        gain.connect(target)
        for (const frequency of keyTone(key)) {
          const oscillator = new OscillatorNode(context, { frequency })
          oscillator.connect(gain)
          oscillator.start(begin)
          oscillator.stop(end)
        }
      }
    },
    setMuted(muted) {
      voice.gain.setTargetAtTime(muted ? 0 : 1, context.currentTime, rampSeconds)
    },
    close() {
      source.stop()
      source.node.disconnect()
      for (const track of out.stream.getTracks()) track.stop()
    },
  })
}
