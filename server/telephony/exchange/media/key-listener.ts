import { keyTone } from '#lib/rules/dtmf.ts'
import { type Digit, digits } from './clips.ts'
import { decodeMulaw, rmsAt0Dbm0, sampleRateHz } from './mulaw.ts'

/** Looked at together: 40 ms tell neighbouring tones (73 Hz apart) from each other. */
const windowSamples = 320
/** The least energy of a key among other sound, in all and in each of its two tones. */
const leastShare = 0.75
const leastShareOfOne = 0.12
/** Softer than this nothing is a key: -36 dBm0. */
const leastMeanSquare = (rmsAt0Dbm0 * 10 ** (-36 / 20)) ** 2
/** So many windows in a row, 20 ms apart, make a key, or its end (ITU-T Q.24 asks for 40 ms of each). */
const windowsToBegin = 2
const windowsToEnd = 2

const keys = digits.map(digit => ({ digit, tonesHz: keyTone(digit) }))
const tonesHz = [...new Set(keys.flatMap(key => key.tonesHz))]

/** Finds the tones of a keypad (ITU-T Q.23) in a stream of mu-law. */
export class KeyListener {
  #samples: number[] = []
  #candidate: Digit | undefined
  #windows = 0
  #down: Digit | undefined

  /** Hears a packet, usually 20 ms. @returns the key that is found to be down now, once for each press */
  hear(payload: Uint8Array): Digit | undefined {
    for (const octet of payload) this.#samples.push(decodeMulaw(octet))
    this.#samples = this.#samples.slice(-windowSamples)
    if (this.#samples.length < windowSamples) return undefined
    const heard = keyIn(this.#samples)
    this.#windows = heard === this.#candidate ? this.#windows + 1 : 1
    this.#candidate = heard
    if (heard === undefined) {
      if (this.#windows >= windowsToEnd) this.#down = undefined
      return undefined
    }
    if (this.#windows < windowsToBegin || heard === this.#down) return undefined
    this.#down = heard
    return heard
  }
}

/** The key that sounds in a window; undefined when none does, or something else beside it. */
function keyIn(samples: readonly number[]): Digit | undefined {
  const energy = samples.reduce((sum, sample) => sum + sample ** 2, 0)
  if (energy < leastMeanSquare * samples.length) return undefined
  const shares = new Map(tonesHz.map(hz => [hz, shareAt(hz, samples, energy)]))
  return keys.find(key => {
    const [row = 0, column = 0] = key.tonesHz.map(hz => shares.get(hz) ?? 0)
    return row + column >= leastShare && Math.min(row, column) >= leastShareOfOne
  })?.digit
}

/** How much of the energy is at one frequency, 0 to 1 (Goertzel's algorithm). */
function shareAt(hz: number, samples: readonly number[], energy: number): number {
  const coefficient = 2 * Math.cos((2 * Math.PI * hz) / sampleRateHz)
  let previous = 0
  let beforePrevious = 0
  for (const sample of samples) {
    const value = sample + coefficient * previous - beforePrevious
    beforePrevious = previous
    previous = value
  }
  const power = previous ** 2 + beforePrevious ** 2 - coefficient * previous * beforePrevious
  return (2 * power) / (samples.length * energy)
}
