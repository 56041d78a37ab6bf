import { endReasonTexts } from '#lib/calls/end-reason-texts.ts'
import type { CallObstacle } from '#lib/calls/end-reasons.ts'
import { lineCheckTexts, untriedTexts } from './line-check-texts.ts'
import { lineLimits } from './quality.ts'

export interface LineFigures {
  readonly roundTripMs: number
  readonly lossPercent: number
  readonly jitterMs: number
}

export type MicrophoneCheck =
  | 'asking'
  | 'listening'
  | 'hears'
  | 'silent'
  | 'denied'
  | 'missing'
  | 'busy'
  | CallObstacle

/** `asked`: the tone was played and the user has not answered yet; `failed`: the browser could not play it. */
export type SpeakerCheck = 'untried' | 'playing' | 'asked' | 'heard' | 'unheard' | 'failed'

/** `no_calls`: this page cannot make calls. `no_sound`: no audio gets through. `told`: a message of the server. */
export type ConnectionFailure = 'no_calls' | 'signed_out' | 'unreachable' | 'no_sound' | 'told'

export type ConnectionCheck =
  | { readonly kind: 'measuring' }
  | { readonly kind: 'measured'; readonly figures: LineFigures }
  | { readonly kind: 'failed'; readonly why: Exclude<ConnectionFailure, 'told'> }
  | { readonly kind: 'failed'; readonly why: 'told'; readonly message: string }

export interface LineCheck {
  readonly microphone: MicrophoneCheck
  readonly speaker: SpeakerCheck
  readonly connection: ConnectionCheck
}

export const newLineCheck: LineCheck = {
  microphone: 'asking',
  speaker: 'untried',
  connection: { kind: 'measuring' },
}

type Fault = 'loss' | 'jitter' | 'round_trip'

/** Metrics that are weak by the thresholds of call quality (ADR-37); empty if none. */
export function weaknesses({ lossPercent, jitterMs, roundTripMs }: LineFigures): readonly Fault[] {
  const faults: Fault[] = []
  if (roundTripMs >= lineLimits.roundTripMs.weak) faults.push('round_trip')
  if (lossPercent >= lineLimits.lossPercent.weak) faults.push('loss')
  if (jitterMs >= lineLimits.jitterMs.weak) faults.push('jitter')
  return faults
}

export function figuresText({ roundTripMs, lossPercent, jitterMs }: LineFigures): string {
  return lineCheckTexts.figures({
    roundTrip: `${Math.max(1, Math.round(roundTripMs))}`,
    loss: lossPercent === 0 ? 'none' : lossPercent < 1 ? 'little' : 'some',
    percent: `${Math.round(lossPercent)}%`,
    jitter: `${Math.round(jitterMs)}`,
  })
}

export type Verdict =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'ready'; readonly title: string; readonly text: string }
  /** All is well, but the speaker was not tested. */
  | { readonly kind: 'untried'; readonly text: string }
  | { readonly kind: 'poor'; readonly text: string }

function microphoneText(microphone: MicrophoneCheck): string | null {
  switch (microphone) {
    case 'silent':
      return lineCheckTexts.mayNotBeHeard
    case 'denied':
    case 'missing':
    case 'busy':
      return lineCheckTexts.listenOnly
    case 'browser_unsupported':
    case 'page_insecure':
      return endReasonTexts[microphone]
    default:
      return null
  }
}

function lagSeconds(roundTripMs: number): number {
  if (roundTripMs < 700) return 0
  return roundTripMs < 1500 ? 1 : Math.round(roundTripMs / 1000)
}

function connectionTexts(connection: ConnectionCheck): readonly string[] {
  if (connection.kind === 'measuring') return []
  if (connection.kind === 'failed') {
    if (connection.why === 'no_sound') return [lineCheckTexts.noSound]
    return connection.why === 'unreachable' ? [lineCheckTexts.unreachable] : []
  }
  const faults = weaknesses(connection.figures)
  const verdictTexts = {
    round_trip: lineCheckTexts.lag({ seconds: lagSeconds(connection.figures.roundTripMs) }),
    loss: lineCheckTexts.loss,
    jitter: lineCheckTexts.jitter,
  } as const
  const advice = faults.some(fault => fault !== 'round_trip') ? lineCheckTexts.network : lineCheckTexts.vpn
  return faults.length === 0 ? [] : [...faults.map(fault => verdictTexts[fault]), advice]
}

export function verdictOf({ microphone, speaker, connection }: LineCheck): Verdict {
  const verdictTexts = [
    microphoneText(microphone),
    speaker === 'unheard' ? lineCheckTexts.speakerUnheard : null,
  ]
    .filter(text => text !== null)
    .concat(connectionTexts(connection))
  if (verdictTexts.length > 0) return { kind: 'poor', text: verdictTexts.join(' ') }
  if (microphone !== 'hears' || connection.kind === 'measuring') return { kind: 'waiting' }
  if (connection.kind === 'failed') return { kind: 'waiting' }
  if (speaker !== 'heard' && speaker !== 'unheard') return { kind: 'untried', text: untriedTexts[speaker] }
  return { kind: 'ready', title: lineCheckTexts.readyTitle, text: lineCheckTexts.ready }
}
