import { endReasonTexts } from '#lib/calls/end-reason-texts.ts'
import type { CallObstacle } from '#lib/calls/end-reasons.ts'
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
  const loss =
    lossPercent === 0 ? 'no loss' : lossPercent < 1 ? 'under 1% loss' : `${Math.round(lossPercent)}% loss`
  return `${Math.max(1, Math.round(roundTripMs))} ms round trip, ${loss} arriving, ${Math.round(jitterMs)} ms jitter`
}

export type Verdict =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'ready'; readonly title: string; readonly text: string }
  /** All is well, but the speaker was not tested. */
  | { readonly kind: 'untried'; readonly text: string }
  | { readonly kind: 'poor'; readonly text: string }

const microphoneTexts: Readonly<Record<MicrophoneCheck, string | null>> = {
  asking: null,
  listening: null,
  hears: null,
  silent: 'Nobody may hear you.',
  denied: 'You can listen, but nobody will hear you.',
  missing: 'You can listen, but nobody will hear you.',
  busy: 'You can listen, but nobody will hear you.',
  browser_unsupported: endReasonTexts.browser_unsupported,
  page_insecure: endReasonTexts.page_insecure,
}

function lag(roundTripMs: number): string {
  if (roundTripMs < 700) return 'about half a second'
  return roundTripMs < 1500 ? 'about a second' : `about ${Math.round(roundTripMs / 1000)} seconds`
}

function connectionTexts(connection: ConnectionCheck): readonly string[] {
  if (connection.kind === 'measuring') return []
  if (connection.kind === 'failed') {
    if (connection.why === 'no_sound')
      return ['No sound gets through. Try another network, or switch a VPN off.']
    return connection.why === 'unreachable' ? ['Calls cannot start while the service is out of reach.'] : []
  }
  const faults = weaknesses(connection.figures)
  const verdictTexts = {
    round_trip: `Calls would lag by ${lag(connection.figures.roundTripMs)}.`,
    loss: 'Words would get lost.',
    jitter: 'Sound would be choppy.',
  } as const
  const advice = faults.some(fault => fault !== 'round_trip')
    ? 'Move nearer the router, use a cable, or pause downloads.'
    : 'A VPN that is switched on may be the reason.'
  return faults.length === 0 ? [] : [...faults.map(fault => verdictTexts[fault]), advice]
}

const speakerTexts: Readonly<Record<Exclude<SpeakerCheck, 'heard' | 'unheard'>, string>> = {
  untried: 'The line is steady. Play the tone to try your speaker.',
  playing: 'The line is steady. Listen for the tone.',
  asked: 'The line is steady. Did you hear the tone?',
  failed: 'The line is steady. Your speaker could not be tried.',
}

export function verdictOf({ microphone, speaker, connection }: LineCheck): Verdict {
  const verdictTexts = [
    microphoneTexts[microphone],
    speaker === 'unheard' ? 'You would not hear them.' : null,
  ]
    .filter(text => text !== null)
    .concat(connectionTexts(connection))
  if (verdictTexts.length > 0) return { kind: 'poor', text: verdictTexts.join(' ') }
  if (microphone !== 'hears' || connection.kind === 'measuring') return { kind: 'waiting' }
  if (connection.kind === 'failed') return { kind: 'waiting' }
  if (speaker !== 'heard' && speaker !== 'unheard') return { kind: 'untried', text: speakerTexts[speaker] }
  return { kind: 'ready', title: 'Ready to call', text: 'Expect a clear line, like an ordinary phone.' }
}
