/** Two notes like a doorbell, easy to distinguish from noise. Hertz, and start in seconds. */
const notes = [
  [660, 0],
  [528, 0.45],
] as const
const noteSeconds = 0.6
const toneSeconds = 1.1
const level = 0.2
const rampSeconds = 0.01
const startTimeoutMs = 2000

/** `played_elsewhere`: on the system's speaker, because the chosen one failed. */
export type TonePlayed = 'played' | 'played_elsewhere' | 'failed'

export function canChooseSpeaker(): boolean {
  return typeof HTMLMediaElement !== 'undefined' && 'setSinkId' in HTMLMediaElement.prototype
}

/** Resolves when the tone has ended. `speakerId` undefined: the system's default. */
export async function playTestTone(speakerId?: string): Promise<TonePlayed> {
  const context = new AudioContext()
  const element = new Audio()
  try {
    // Firefox waits for ever where no speaker is connected.
    await Promise.race([context.resume(), new Promise(resolve => setTimeout(resolve, startTimeoutMs))])
    if (context.state !== 'running') return 'failed'
    const out = context.createMediaStreamDestination()
    element.srcObject = out.stream
    const elsewhere = !(await sendTo(element, speakerId))
    for (const [frequency, begin] of notes) {
      const at = context.currentTime + begin
      const gain = new GainNode(context, { gain: 0 })
      gain.connect(out)
      gain.gain.setTargetAtTime(level, at, rampSeconds)
      gain.gain.setTargetAtTime(0, at + noteSeconds / 2, 10 * rampSeconds)
      const oscillator = new OscillatorNode(context, { frequency })
      oscillator.connect(gain)
      oscillator.start(at)
      oscillator.stop(at + noteSeconds)
    }
    await element.play()
    await new Promise(resolve => setTimeout(resolve, toneSeconds * 1000))
    return elsewhere ? 'played_elsewhere' : 'played'
  } catch (error) {
    console.error('The tone could not be played.', error)
    return 'failed'
  } finally {
    element.pause()
    element.srcObject = null
    void context.close().catch(() => undefined)
  }
}

async function sendTo(element: HTMLAudioElement, speakerId: string | undefined): Promise<boolean> {
  if (speakerId === undefined) return true
  try {
    await element.setSinkId(speakerId)
    return true
  } catch {
    return false
  }
}
