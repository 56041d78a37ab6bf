import { keyTone } from '#lib/calls/dtmf.ts'
import { repeat } from './audio-source.ts'
import { type Digit, digits } from './clips.ts'
import { encodeMulaw, frameMs, rmsAt0Dbm0, sampleRateHz, silentFrame, silentOctet } from './mulaw.ts'

export interface ToneSpec {
  /** Whole hertz, each below 4000. */
  readonly frequenciesHz: readonly number[]
  readonly dbm0: number
}

/** Samples that loop without a click: whole periods of every frequency, at most one second of mu-law. */
export function toneLoop({ frequenciesHz, dbm0 }: ToneSpec): Buffer {
  const peak = Math.SQRT2 * rmsAt0Dbm0 * 10 ** (dbm0 / 20)
  const length = sampleRateHz / frequenciesHz.reduce(greatestCommonDivisor, sampleRateHz)
  const samples = Buffer.alloc(length)
  for (let index = 0; index < length; index++) {
    const turns = (2 * Math.PI * index) / sampleRateHz
    const sum = frequenciesHz.reduce((total, frequency) => total + Math.sin(turns * frequency), 0)
    samples[index] = encodeMulaw(peak * sum)
  }
  return samples
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}

/** The milliwatt of a telephone test line: 1004 Hz at 0 dBm0. */
export const milliwattLoop: Buffer = toneLoop({ frequenciesHz: [1004], dbm0: 0 })

/** The same at the level of ordinary speech, for headphones. */
export const gentleToneLoop: Buffer = toneLoop({ frequenciesHz: [1004], dbm0: -16 })

/** North American ringback: 440 and 480 Hz at -19 dBm0 each, 2 s on and 4 s off. */
export const ringMs = 2000
export const ringbackLoop: Buffer = cadence(toneLoop({ frequenciesHz: [440, 480], dbm0: -19 }), ringMs, 4000)

function cadence(tone: Buffer, onMs: number, offMs: number): Buffer {
  const on = (onMs * sampleRateHz) / 1000
  const off = (offMs * sampleRateHz) / 1000
  return Buffer.concat([Buffer.alloc(on, tone), Buffer.alloc(off, silentOctet)])
}

/** Length of a key's tone, and the min silence between two. */
export const digitToneMs = 160
const digitPauseMs = 80
const digitTones: ReadonlyMap<Digit, readonly Buffer[]> = new Map(
  digits.map(digit => {
    const tone = toneLoop({ frequenciesHz: keyTone(digit), dbm0: -10 })
    return [digit, framesOf(tone, digitToneMs)]
  }),
)

/** The frames of a key's tone (ITU-T Q.23). */
export function digitTone(digit: Digit): readonly Buffer[] {
  return digitTones.get(digit) ?? []
}

export const digitPause: readonly Buffer[] = framesOf(silentFrame, digitPauseMs)

function framesOf(loop: Buffer, lengthMs: number): readonly Buffer[] {
  const samples = repeat(loop)
  return Array.from({ length: lengthMs / frameMs }, () => samples.next() ?? silentFrame)
}
