import { sampleRateHz } from '#server/telephony/exchange/media/mulaw.ts'

const frameSamples = 256
const hopSamples = 128
/** 384 ms, about a syllable: the time over which spectra are compared. */
const segmentFrames = 24
/** A segment begins every 96 ms. */
const segmentHopFrames = 6
/** How finely delays are searched: 4 ms. */
const delaySamples = 32
const delaysPerHop = hopSamples / delaySamples
/** A jitter buffer may change its delay: each of these parts is aligned by itself. */
const partSamples = 2 * sampleRateHz
const bands = 10
const lowestHz = 300
/** What is this much quieter than the loudest of the speech is a pause: 40 dB. */
const pause = 10 ** (-40 / 20)

/**
 * Measures how much of speech came through, without a unit: 1 if nothing was lost, 0 if nothing came. It is the extended short-time
 * objective intelligibility (ESTOI) of Jensen and Taal (IEEE/ACM Transactions on Audio, Speech, and Language Processing
 * 24(11), 2016): the correlation of spectrograms, over 384 ms each, once each band and then each moment is normalised. The bands
 * are here the ten third octaves from 300 to 3024 Hz. Neither loudness nor delay counts. Other speech reaches about 0.2, since the
 * best delay is searched.
 *
 * @param spoken what was said over and over, at 8 kHz
 * @returns a function of what was heard, at 8 kHz too and for two seconds at least
 */
export function createSpeechMeasure(spoken: Int16Array): (heard: Int16Array) => number {
  const said = segmentsOfLoop(spoken)
  return heard => {
    const parts = Array.from({ length: Math.floor(heard.length / partSamples) }, (_, part) =>
      bestMatch(said, segmentsOf(heard.subarray(part * partSamples, (part + 1) * partSamples))),
    )
    if (parts.length === 0) throw new Error('too short to compare')
    return parts.reduce((sum, match) => sum + match, 0) / parts.length
  }
}

/** A spectrogram of unit length as a vector; undefined for a pause. The product of two is their correlation. */
type Segment = Float64Array | undefined
/** Roots of the energy in each band. */
type Frame = Float64Array

/** One for each delay. */
function segmentsOfLoop(samples: Int16Array): readonly Segment[] {
  const delays = Math.floor(samples.length / delaySamples)
  const frames = Array.from({ length: delays }, (_, delay) => frameAt(delay * delaySamples, samples))
  const quietest = pause * Math.max(...frames.map(loudness))
  return frames.map((_, delay) => {
    const segment = Array.from(
      { length: segmentFrames },
      (_, frame) => frames[(delay + frame * delaysPerHop) % delays] ?? new Float64Array(bands),
    )
    return segment.every(frame => loudness(frame) < quietest) ? undefined : normalised(segment)
  })
}

function segmentsOf(samples: Int16Array): readonly Segment[] {
  const count = Math.floor((samples.length - frameSamples) / hopSamples) + 1
  const frames = Array.from({ length: count }, (_, frame) => frameAt(frame * hopSamples, samples))
  return Array.from({ length: Math.floor((count - segmentFrames) / segmentHopFrames) + 1 }, (_, segment) =>
    normalised(frames.slice(segment * segmentHopFrames, segment * segmentHopFrames + segmentFrames)),
  )
}

const loudness = (frame: Frame) => Math.hypot(...frame)

/** 0 where the speech pauses for more than half of the time. */
function bestMatch(said: readonly Segment[], heard: readonly Segment[]): number {
  const matches = said.map((_, delay) => {
    const products = heard.flatMap((segment, index) => {
      const meant = said[(delay + index * segmentHopFrames * delaysPerHop) % said.length]
      return meant === undefined || segment === undefined ? [] : [product(meant, segment)]
    })
    return products.length < heard.length / 2
      ? 0
      : products.reduce((sum, value) => sum + value, 0) / products.length
  })
  return Math.max(...matches)
}

function product(one: Float64Array, other: Float64Array): number {
  let sum = 0
  for (let index = 0; index < one.length; index += 1) sum += (one[index] ?? 0) * (other[index] ?? 0)
  return sum
}

function normalised(frames: readonly Frame[]): Float64Array {
  const byBand = Array.from({ length: bands }, (_, band) =>
    centred(Float64Array.from(frames, frame => frame[band] ?? 0)),
  )
  const segment = new Float64Array(segmentFrames * bands)
  for (let frame = 0; frame < segmentFrames; frame += 1)
    segment.set(centred(Float64Array.from(byBand, band => band[frame] ?? 0)), frame * bands)
  return segment.map(value => value / Math.sqrt(segmentFrames))
}

/** With the mean 0 and the length 1. */
function centred(values: Float64Array): Float64Array {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const around = values.map(value => value - mean)
  const length = Math.hypot(...around)
  return length === 0 ? around : around.map(value => value / length)
}

const hann = Float64Array.from(
  { length: frameSamples },
  (_, index) => Math.sin((Math.PI * (index + 0.5)) / frameSamples) ** 2,
)
const cosines = Float64Array.from({ length: frameSamples }, (_, index) =>
  Math.cos((2 * Math.PI * index) / frameSamples),
)
/** Where each band begins in the spectrum, and where the last one ends. */
const edges = Array.from({ length: bands + 1 }, (_, band) =>
  Math.ceil((lowestHz * 2 ** (band / 3) * frameSamples) / sampleRateHz),
)

/** @param samples taken as a loop */
function frameAt(begin: number, samples: Int16Array): Frame {
  const windowed = hann.map((weight, index) => weight * (samples[(begin + index) % samples.length] ?? 0))
  return Float64Array.from({ length: bands }, (_, band) => {
    let energy = 0
    for (let bin = edges[band] ?? 0; bin < (edges[band + 1] ?? 0); bin += 1) energy += energyAt(bin, windowed)
    return Math.sqrt(energy)
  })
}

/** Of a discrete Fourier transform. A sine is a cosine a quarter of a period later. */
function energyAt(bin: number, windowed: Float64Array): number {
  let real = 0
  let imaginary = 0
  for (let index = 0; index < frameSamples; index += 1) {
    const turn = bin * index
    const sample = windowed[index] ?? 0
    real += sample * (cosines[turn % frameSamples] ?? 0)
    imaginary += sample * (cosines[(turn + (3 * frameSamples) / 4) % frameSamples] ?? 0)
  }
  return real ** 2 + imaginary ** 2
}
