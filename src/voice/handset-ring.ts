import { audioContext } from './handset-sound.ts'

/** Two rings and a pause of 400 and 450 Hz (BT SIN 350). Seconds. */
const rings = [
  [0, 0.4],
  [0.6, 1],
] as const
const roundSeconds = 3
const level = 0.06
const rampSeconds = 0.01

/** Rings until the returned function is called; silently if the browser blocks audio. */
export function ring(): () => void {
  const context = audioContext()
  const gain = new GainNode(context, { gain: 0 })
  gain.connect(context.destination)
  const oscillators = [400, 450].map(frequency => new OscillatorNode(context, { frequency }))
  for (const oscillator of oscillators) {
    oscillator.connect(gain)
    oscillator.start()
  }
  const round = () => {
    for (const [begin, end] of rings) {
      gain.gain.setTargetAtTime(level, context.currentTime + begin, rampSeconds)
      gain.gain.setTargetAtTime(0, context.currentTime + end, rampSeconds)
    }
  }
  round()
  const timer = setInterval(round, roundSeconds * 1000)
  return () => {
    clearInterval(timer)
    for (const oscillator of oscillators) oscillator.stop()
    gain.disconnect()
  }
}
