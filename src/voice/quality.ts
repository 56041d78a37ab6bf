/** Grades the quality of a call from one sample a second, and names the fault (ADR-37, ADR-43). */

import { qualityTexts } from './quality-texts.ts'

/** About one second of an answered call. Null: not measured. */
export interface LineSample {
  /** Mean opinion score, 1 to 4.5, computed by the voice client (ITU-T G.107, simplified). */
  readonly mos: number | null
  readonly lossPercent: number
  /** Loss on the way out, from the other end's last receiver report (RFC 3550, section 6.4). */
  readonly sentLossPercent: number | null
  /** Interarrival jitter in milliseconds (RFC 3550). */
  readonly jitterMs: number
  readonly roundTripMs: number | null
  readonly packetsReceived: number
  /** Microphone and received level: root mean square over the second, full scale 1. */
  readonly spokenLevel: number | null
  readonly heardLevel: number | null
  readonly warnings: readonly LineWarning[]
}

export type LineWarning = 'score' | 'loss' | 'jitter' | 'round_trip'

/** Shown as three, two or one bar. */
export type Grade = 'good' | 'weak' | 'poor'

/** `sent_loss`: loss on the way to the callee. `silence`: no packets arrive at all. */
export type LineFault = 'loss' | 'sent_loss' | 'jitter' | 'round_trip' | 'silence'

export interface LineQuality {
  /** Null until `firstSamples` samples are in. */
  readonly grade: Grade | null
  readonly fault: LineFault | null
  /** The microphone is on but delivers pure zero, not even noise. */
  readonly microphoneSilent: boolean
  readonly microphoneWorked: boolean
}

/** State of one call's quality; `samples` is the latest window, oldest first. */
export interface LineWatch {
  readonly quality: LineQuality
  readonly samples: readonly LineSample[]
  /** Consecutive samples worse, or better, than the shown grade. */
  readonly worse: number
  readonly better: number
  readonly mute: number
}

/** Size of the averaging window: loss comes in bursts. */
const windowSamples = 5
const firstSamples = 3
/** Hysteresis, so that the label does not flicker. */
const samplesUntilWorse = 3
const samplesUntilBetter = 5
/** A working microphone picks up noise even in a quiet room; one that is off or broken does not. */
const secondsUntilSilent = 10
/** Some working microphones suppress everything but speech, so wait longer. */
const secondsUntilSilentAgain = 30

/**
 * Thresholds. Weak loss, jitter and round trip are the voice client's own warning levels (3 % on average, 30 ms, 400
 * ms). Poor round trip: 400 ms one way, unacceptable by ITU-T G.114. Poor jitter: twice the weak limit. Poor loss:
 * where the score falls below "many users dissatisfied" (G.107, annex B: R 70 and 60, scores 3.6 and 3.1).
 */
export const lineLimits = {
  lossPercent: { weak: 3, poor: 10 },
  jitterMs: { weak: 30, poor: 60 },
  roundTripMs: { weak: 400, poor: 800 },
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

/** A second without packets counts as full loss; the voice client reports 0 then. */
const lossOf = ({ packetsReceived, lossPercent }: LineSample) => (packetsReceived > 0 ? lossPercent : 100)

function judge(samples: readonly LineSample[]): { readonly grade: Grade; readonly fault: LineFault | null } {
  if (samples.slice(-firstSamples).every(({ packetsReceived }) => packetsReceived === 0))
    return { grade: 'poor', fault: 'silence' }
  const warned: ReadonlySet<string> = new Set(samples.at(-1)?.warnings)
  const measured: readonly (readonly [Grade, LineFault])[] = [
    [gradeFrom(mean(samples.map(lossOf)), lineLimits.lossPercent), 'loss'],
    [gradeFrom(mean(samples.map(({ jitterMs }) => jitterMs)), lineLimits.jitterMs), 'jitter'],
    [gradeFrom(mean(samples.map(({ roundTripMs }) => roundTripMs)), lineLimits.roundTripMs), 'round_trip'],
    // Last, because on a tie the faults that the user can hear come first.
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

/** Adds one second. `muted`: the microphone is muted on purpose, so its silence is not a fault. */
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
  // While the grade stays, the fault may change; during a transition the old fault stays.
  const next = turns || now.grade === shown ? now : { grade: shown, fault }
  return {
    samples,
    mute,
    worse: turns ? 0 : worse,
    better: turns ? 0 : better,
    quality: { ...next, ...microphone },
  }
}

/** After a reconnect: restarts the grading; keeps the label until a new one, and the microphone's state. */
export function watchAfresh(watch: LineWatch): LineWatch {
  return { ...newWatch, quality: watch.quality, mute: watch.mute }
}

export function qualityLabel({ grade, fault }: LineQuality): string | null {
  if (grade === null) return null
  return qualityTexts[fault === 'silence' ? 'silence' : grade]
}

/** For silence the status line has its own text. */
export function lineAdvice({ grade, fault }: LineQuality): string | null {
  return grade === 'poor' && fault !== null && fault !== 'silence' ? qualityTexts[fault] : null
}
