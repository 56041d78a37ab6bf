import type { CallObstacle } from '#lib/calls/end-reasons.ts'
import type { Lost } from './call.ts'

/** A telephone in a browser: the local stand-in for the callee. */

export type HandsetEnding =
  | 'they_hung_up'
  | 'gave_up'
  | 'hung_up'
  | 'declined'
  | 'sound_lost'
  | 'line_lost'
  | 'exchange_restarted'

export type ClaimRejection = 'taken' | 'invalid_number' | 'unreachable' | MicrophoneFault

/** Why a ringing call could not be answered; it keeps ringing. */
export type AnswerFault = MicrophoneFault | 'voice_missing'

type MicrophoneFault = 'microphone_denied' | 'microphone_missing' | 'microphone_busy' | CallObstacle

export interface LastCall {
  readonly ending: HandsetEnding
  /** E.164; null without a caller ID. */
  readonly from: string | null
  /** Milliseconds from answer to end; null if never answered. */
  readonly talkedMs: number | null
}

interface Claimed {
  readonly number: string
  /** Whether calls can reach the handset: it is connected to the exchange. */
  readonly reachable: boolean
}
interface Called extends Claimed {
  readonly from: string | null
}

export type Handset =
  | { readonly state: 'on_hook'; readonly rejection: ClaimRejection | null }
  /** Claiming the number; null until the exchange has returned it. */
  | { readonly state: 'claiming'; readonly number: string | null }
  | ({ readonly state: 'waiting'; readonly last: LastCall | null } & Claimed)
  | ({ readonly state: 'ringing'; readonly answering: boolean; readonly fault: AnswerFault | null } & Called)
  | ({
      readonly state: 'talking'
      /** Monotonic milliseconds; only differences are meaningful. */
      readonly answeredAtMs: number
      readonly muted: boolean
      readonly digits: string
      readonly lost: Lost | null
    } & Called)
  | { readonly state: 'lost'; readonly number: string; readonly why: 'taken' | 'refused' }

export type ClaimedHandset = Extract<Handset, Claimed>

export type HandsetEvent =
  | { readonly kind: 'claim_begun' }
  | { readonly kind: 'claim_granted'; readonly number: string }
  | { readonly kind: 'claim_refused'; readonly rejection: ClaimRejection }
  | { readonly kind: 'claim_lost'; readonly why: 'taken' | 'refused' }
  | { readonly kind: 'released' }
  | { readonly kind: 'registered' }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'rang'; readonly from: string | null }
  | { readonly kind: 'answering' }
  | { readonly kind: 'answer_failed'; readonly fault: AnswerFault }
  | { readonly kind: 'answered'; readonly atMs: number }
  /** `from` is the index of the first digit: digits may be repeated. */
  | { readonly kind: 'digits'; readonly digits: string; readonly from: number }
  | { readonly kind: 'muted'; readonly muted: boolean }
  | { readonly kind: 'reconnecting'; readonly lost: Lost }
  | { readonly kind: 'reconnected' }
  | { readonly kind: 'ended'; readonly ending: HandsetEnding; readonly atMs: number }

export const onHook: Handset = { state: 'on_hook', rejection: null }

export function isClaimed(handset: Handset): handset is ClaimedHandset {
  return handset.state === 'waiting' || handset.state === 'ringing' || handset.state === 'talking'
}

/** The handset's state machine. Total: an event that does not fit the state returns the same value. */
export function stepHandset(handset: Handset, event: HandsetEvent): Handset {
  switch (event.kind) {
    case 'claim_begun':
      return isClaimed(handset) ? handset : { state: 'claiming', number: null }
    case 'claim_granted':
      return handset.state === 'claiming' ? { ...handset, number: event.number } : handset
    case 'claim_refused':
      return handset.state === 'claiming' ? { state: 'on_hook', rejection: event.rejection } : handset
    case 'claim_lost':
      return handset.state === 'waiting' ? { state: 'lost', number: handset.number, why: event.why } : handset
    case 'released':
      return handset.state === 'on_hook' ? handset : onHook
    case 'registered':
      if (handset.state === 'claiming' && handset.number !== null)
        return { state: 'waiting', number: handset.number, reachable: true, last: null }
      return isClaimed(handset) && !handset.reachable ? { ...handset, reachable: true } : handset
    case 'unreachable':
      return isClaimed(handset) && handset.reachable ? { ...handset, reachable: false } : handset
    case 'rang':
      return handset.state === 'waiting' ? ring(handset, event.from) : handset
    case 'answering':
      return handset.state === 'ringing' && !handset.answering
        ? { ...handset, answering: true, fault: null }
        : handset
    case 'answer_failed':
      return handset.state === 'ringing' ? { ...handset, answering: false, fault: event.fault } : handset
    case 'answered':
      return handset.state === 'ringing' ? answer(handset, event.atMs) : handset
    case 'digits':
      return handset.state === 'talking'
        ? { ...handset, digits: handset.digits.slice(0, event.from) + event.digits }
        : handset
    case 'muted':
      return handset.state === 'talking' && handset.muted !== event.muted
        ? { ...handset, muted: event.muted }
        : handset
    case 'reconnecting':
      return handset.state === 'talking' ? { ...handset, lost: handset.lost ?? event.lost } : handset
    case 'reconnected':
      return handset.state === 'talking' ? { ...handset, lost: null } : handset
    case 'ended':
      return end(handset, event.ending, event.atMs)
    default:
      return event satisfies never
  }
}

function ring({ number, reachable }: Claimed, from: string | null): Handset {
  return { state: 'ringing', number, reachable, from, answering: false, fault: null }
}

function answer({ number, reachable, from }: Called, answeredAtMs: number): Handset {
  return { state: 'talking', number, reachable, from, answeredAtMs, muted: false, digits: '', lost: null }
}

function end(handset: Handset, ending: HandsetEnding, atMs: number): Handset {
  if (handset.state !== 'ringing' && handset.state !== 'talking') return handset
  const { number, reachable, from } = handset
  const talkedMs = handset.state === 'talking' ? Math.max(0, atMs - handset.answeredAtMs) : null
  return { state: 'waiting', number, reachable, last: { ending, from, talkedMs } }
}
