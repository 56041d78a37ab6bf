/**
 * How good a line is, out of what is measured of it once a second, and what the matter is
 * (docs/decisions/0037-quality-in-words.md, 0043-loss-on-the-way-out.md).
 */

/** About one second of an answered call. Null: not measured. */
export interface LineSample {
  /** Mean opinion score as the voice client reckons it from the three below (ITU-T G.107, simplified), 1 to 4.5. */
  readonly mos: number | null
  /** Of the packets that were to arrive in this second. */
  readonly lossPercent: number
  /** Of the packets sent from here, as the other end last reported (RFC 3550, section 6.4). */
  readonly sentLossPercent: number | null
  /** Of arrivals, milliseconds (RFC 3550). */
  readonly jitterMs: number
  readonly roundTripMs: number | null
  readonly packetsReceived: number
  /** How loud the microphone is and what came from the other end: root mean squares over the second, full scale 1. */
  readonly spokenLevel: number | null
  readonly heardLevel: number | null
  /** What the voice client warns of at this moment. */
  readonly warnings: readonly LineWarning[]
}

export type LineWarning = 'score' | 'loss' | 'jitter' | 'round_trip'

/** Three, two or one bar. */
export type Grade = 'good' | 'weak' | 'poor'

/** What makes a line worse than good; `sent_loss`: loss on the way to them; `silence`: nothing arrives at all. */
export type LineFault = 'loss' | 'sent_loss' | 'jitter' | 'round_trip' | 'silence'

export interface LineQuality {
  /** Null during the first seconds. */
  readonly grade: Grade | null
  readonly fault: LineFault | null
  /** The microphone is switched on here and gives nothing, not even noise. */
  readonly microphoneSilent: boolean
  /** It has given something in this call. */
  readonly microphoneWorked: boolean
}

/** A line that is watched; the samples are the latest ones, oldest first. */
export interface LineWatch {
  readonly quality: LineQuality
  readonly samples: readonly LineSample[]
  /** Samples in a row that were worse, or better, than the grade that is shown. */
  readonly worse: number
  readonly better: number
  /** Seconds in a row in which the microphone gave nothing. */
  readonly mute: number
}

/** Samples that are looked at together: loss comes in bursts. */
const windowSamples = 5
/** Nothing is said before. */
const firstSamples = 3
/** A grade falls after this many samples below it, and rises after so many above it, so that words do not flicker. */
const samplesUntilWorse = 3
const samplesUntilBetter = 5
/** Somebody who listens in a quiet room makes noise; a microphone that is switched off or of no use makes none. */
const secondsUntilSilent = 10
/** One that has worked may hold back what is no speech: some do. */
const secondsUntilSilentAgain = 30

/**
 * From here on a line is weak, or poor. Loss, jitter and round trip are weak where the voice client warns by itself
 * (3 % on average, 30 ms, 400 ms). Poor is the round trip that ITU-T G.114 calls unacceptable one way (400 ms), twice the
 * jitter, and the loss at which the voice client's score falls below what leaves many users dissatisfied (G.107, annex B:
 * R 70 and 60, scores 3.6 and 3.1).
 */
export const lineLimits = {
  lossPercent: { weak: 3, poor: 10 },
  jitterMs: { weak: 30, poor: 60 },
  roundTripMs: { weak: 400, poor: 800 },
  /** Below these. */
  mos: { weak: 3.6, poor: 3.1 },
} as const

export const unknownQuality: LineQuality = {
  grade: null,
  fault: null,
  microphoneSilent: false,
  microphoneWorked: false,
}
export const newWatch: LineWatch = { quality: unknownQuality, samples: [], worse: 0, better: 0, mute: 0 }

const rank: Readonly<Record<Grade, number>> = { poor: 0, weak: 1, good: 2 }

/** The mean of what was measured; null where nothing was. */
function mean(values: readonly (number | null)[]): number | null {
  const measured = values.filter(value => value !== null)
  return measured.length === 0 ? null : measured.reduce((sum, value) => sum + value, 0) / measured.length
}

function gradeFrom(
  value: number | null,
  { weak, poor }: { readonly weak: number; readonly poor: number },
): Grade {
  if (value === null || value < weak) return 'good'
  return value < poor ? 'weak' : 'poor'
}

/** A second without a packet is one in which all was lost, though the voice client counts no loss then. */
const lossOf = ({ packetsReceived, lossPercent }: LineSample) => (packetsReceived > 0 ? lossPercent : 100)

/** What the samples of a window come to, without regard to what was said before. */
function judge(samples: readonly LineSample[]): { readonly grade: Grade; readonly fault: LineFault | null } {
  if (samples.slice(-firstSamples).every(({ packetsReceived }) => packetsReceived === 0))
    return { grade: 'poor', fault: 'silence' }
  const warned: ReadonlySet<string> = new Set(samples.at(-1)?.warnings)
  const measured: readonly (readonly [Grade, LineFault])[] = [
    [gradeFrom(mean(samples.map(lossOf)), lineLimits.lossPercent), 'loss'],
    [gradeFrom(mean(samples.map(({ jitterMs }) => jitterMs)), lineLimits.jitterMs), 'jitter'],
    [gradeFrom(mean(samples.map(({ roundTripMs }) => roundTripMs)), lineLimits.roundTripMs), 'round_trip'],
    // The last one: of faults that are as bad, one hears the others oneself.
    [
      gradeFrom(mean(samples.map(({ sentLossPercent }) => sentLossPercent)), lineLimits.lossPercent),
      'sent_loss',
    ],
  ]
  const graded = measured.map(([grade, fault]) =>
    grade === 'good' && warned.has(fault) ? (['weak', fault] as const) : ([grade, fault] as const),
  )
  const [worst, fault] = graded.reduce((low, next) => (rank[next[0]] < rank[low[0]] ? next : low))
  const mos = mean(samples.map(sample => sample.mos))
  const byScore =
    mos === null || mos >= lineLimits.mos.weak ? 'good' : mos >= lineLimits.mos.poor ? 'weak' : 'poor'
  const scored = byScore === 'good' && warned.has('score') ? 'weak' : byScore
  const grade = rank[scored] < rank[worst] ? scored : worst
  return { grade, fault: worst === 'good' ? null : fault }
}

/**
 * The line after another second.
 * @param muted whether the microphone is held silent on purpose: then its silence means nothing
 */
export function watchLine(watch: LineWatch, sample: LineSample, muted: boolean): LineWatch {
  const samples = [...watch.samples, sample].slice(-windowSamples)
  const mute = !muted && sample.spokenLevel === 0 ? watch.mute + 1 : 0
  const microphoneWorked = watch.quality.microphoneWorked || (sample.spokenLevel ?? 0) > 0
  const microphoneSilent = mute >= (microphoneWorked ? secondsUntilSilentAgain : secondsUntilSilent)
  const microphone = { microphoneSilent, microphoneWorked }
  const { grade: shown, fault } = watch.quality
  if (samples.length < firstSamples)
    return { ...watch, samples, mute, quality: { ...watch.quality, ...microphone } }
  const now = judge(samples)
  const worse = shown !== null && rank[now.grade] < rank[shown] ? watch.worse + 1 : 0
  const better = shown !== null && rank[now.grade] > rank[shown] ? watch.better + 1 : 0
  const turns = shown === null || worse >= samplesUntilWorse || better >= samplesUntilBetter
  // While the grade stays, what the matter is may change; on the way to another one it stays what it was.
  const next = turns || now.grade === shown ? now : { grade: shown, fault }
  return {
    samples,
    mute,
    worse: turns ? 0 : worse,
    better: turns ? 0 : better,
    quality: { ...next, ...microphone },
  }
}

/**
 * The path was mended: what comes over it is judged afresh, and the words stay until then. The microphone is the same.
 */
export function watchAfresh(watch: LineWatch): LineWatch {
  return { ...newWatch, quality: watch.quality, mute: watch.mute }
}

const gradeWords: Readonly<Record<Grade, string>> = {
  good: 'Good connection',
  weak: 'Weak connection',
  poor: 'Poor connection',
}

/** The bars in words; null while nothing is known. */
export function qualityWords({ grade, fault }: LineQuality): string | null {
  if (grade === null) return null
  return fault === 'silence' ? 'No sound arrives' : gradeWords[grade]
}

/** Beside 'In Call': what is the matter with a poor line, and what to do about it. */
const faultWords: Readonly<Record<LineFault, string | null>> = {
  loss: 'Words get lost. Move nearer the router.',
  sent_loss: 'They hear gaps. Move nearer the router.',
  jitter: 'Choppy sound. Pause other downloads.',
  round_trip: 'Long delay. Let each other finish.',
  // The slot has words of its own for it (`hears`).
  silence: null,
}

/** What the slot says about a line; null where it need not. */
export function lineAdvice({ grade, fault }: LineQuality): string | null {
  return grade === 'poor' && fault !== null ? faultWords[fault] : null
}

export const microphoneSilentMessage = 'They may not hear you: your microphone is silent.'
