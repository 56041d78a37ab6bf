import { keyTone } from '#lib/calls/dtmf.ts'
import { type Digit, digits } from './clips.ts'
import { decodeMulaw, rmsAt0Dbm0, sampleRateHz } from './mulaw.ts'

/** 40 ms, enough to separate neighbouring tones (73 Hz apart). */
const windowSamples = 320
/** Min share of the energy in both tones together, and in each. */
const minShare = 0.75
const minShareOfOne = 0.12
/** Min level of a key: -36 dBm0. */
const minMeanSquare = (rmsAt0Dbm0 * 10 ** (-36 / 20)) ** 2
/** Consecutive windows, 20 ms apart, that begin or end a key (ITU-T Q.24 asks for 40 ms of each). */
const windowsToBegin = 2
const windowsToEnd = 2

const keys = digits.map(digit => ({ digit, tonesHz: keyTone(digit) }))
const tonesHz = [...new Set(keys.flatMap(key => key.tonesHz))]

/** Detects keypad tones (ITU-T Q.23) in a stream of mu-law. */
export class KeyListener {
  #samples: number[] = []
  #candidate: Digit | undefined
  #windows = 0
  #down: Digit | undefined

  /** Takes a packet, usually 20 ms. @returns the key that is now pressed, once per press */
  receive(payload: Uint8Array): Digit | undefined {
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

/** The key in a window; undefined when there is none, or other sound beside it. */
function keyIn(samples: readonly number[]): Digit | undefined {
  const energy = samples.reduce((sum, sample) => sum + sample ** 2, 0)
  if (energy < minMeanSquare * samples.length) return undefined
  const shares = new Map(tonesHz.map(hz => [hz, shareAt(hz, samples, energy)]))
  return keys.find(key => {
    const [row = 0, column = 0] = key.tonesHz.map(hz => shares.get(hz) ?? 0)
    return row + column >= minShare && Math.min(row, column) >= minShareOfOne
  })?.digit
}

/** Share of the energy at one frequency, 0 to 1 (Goertzel's algorithm). */
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
