import { atom, type ReadableAtom } from 'nanostores'
import { numberRate } from '#lib/api/rates.ts'
import { usdToMicroUsd } from '#lib/money/money.ts'
import type { RateKind } from '#lib/money/tariff.ts'
import { type ApiResult, request } from '#session/transport.ts'
import { $callFrom } from '#shared/caller-ids/caller-ids.ts'

/** `number` is the full number that the rate applies to. */
export type Rate =
  | { readonly kind: 'none' }
  | { readonly kind: 'pending' }
  | {
      readonly kind: 'known'
      readonly number: string
      readonly microUsdPerMinute: number
      /** The part of the rate that the user's caller ID adds. */
      readonly surchargeMicroUsd: number
      /** Length of a free first call; 0 if not eligible. */
      readonly freeMinutes: number
      /** `special` only for ranges more expensive than ordinary. */
      readonly rateKind: RateKind
    }
  /** The rate could not be read: the fallback, shown as an estimate (PD-21). */
  | { readonly kind: 'estimate'; readonly number: string; readonly microUsdPerMinute: number }
  | { readonly kind: 'unsupported'; readonly number: string }

/** $0.05 per minute if a number's rate cannot be read (SPEC-9.6). */
const fallbackMicroUsdPerMinute = 50_000
/** Pause in typing before the rate is requested. */
const debounceMs = 250
/** How long the previous number's rate stays, so that a quick answer does not flicker. */
const staleMs = 300
/** A rate that takes longer is of no use to a call. */
const beforeCallMs = 5000

const none: Rate = { kind: 'none' }
const $shown = atom<Rate>(none)
export const $rate: ReadableAtom<Rate> = $shown

const answers = new Map<string, Rate>()
/** The number in the field; null while it is too short for a rate. */
let wanted: string | null = null
let resting: ReturnType<typeof setTimeout> | undefined
let ageing: ReturnType<typeof setTimeout> | undefined
let asking: AbortController | undefined

function rateFrom(number: string, result: ApiResult<typeof numberRate>): Rate {
  if (result.ok) {
    const { ourRate, surcharge = 0, freeMinutes, kind: rateKind } = result.value
    return {
      kind: 'known',
      number,
      microUsdPerMinute: usdToMicroUsd(ourRate),
      surchargeMicroUsd: usdToMicroUsd(surcharge),
      freeMinutes,
      rateKind,
    }
  }
  if (result.status === 404) return { kind: 'unsupported', number }
  console.error(`The rate could not be read: ${result.code} (status ${result.status})`)
  return { kind: 'estimate', number, microUsdPerMinute: fallbackMicroUsdPerMinute }
}

function show(rate: Rate): void {
  clearTimeout(ageing)
  ageing = undefined
  $shown.set(rate)
}

interface Question {
  readonly number: string
  /** The user's caller ID; null for a public number. */
  readonly from: string | null
}

const keyOf = ({ number, from }: Question) => `${number} ${from ?? ''}`
const questionOf = (number: string): Question => ({ number, from: $callFrom.get() })

function inputOf({ number, from }: Question) {
  return { params: { fullNumber: number }, query: from === null ? {} : { from } }
}

function remember(question: Question, result: ApiResult<typeof numberRate>): Rate {
  const rate = rateFrom(question.number, result)
  if (rate.kind !== 'estimate') answers.set(keyOf(question), rate)
  return rate
}

function stopAsking(): void {
  clearTimeout(resting)
  asking?.abort()
}

async function ask(number: string): Promise<void> {
  const mine = new AbortController()
  asking = mine
  const question = questionOf(number)
  const result = await request(numberRate, inputOf(question), { signal: mine.signal })
  if (!mine.signal.aborted) show(remember(question, result))
}

/** The last rate stays briefly while the next is loading. @param number null while too short for a rate */
export function watchRate(number: string | null): void {
  if (number === wanted) return
  wanted = number
  look()
}

function look(): void {
  stopAsking()
  const number = wanted
  const known = number === null ? none : answers.get(keyOf(questionOf(number)))
  if (known !== undefined) {
    show(known)
  } else if (number !== null) {
    ageing ??= setTimeout(() => show({ kind: 'pending' }), staleMs)
    resting = setTimeout(() => void ask(number), debounceMs)
  }
}

export function followCallFrom(): void {
  $callFrom.listen(() => {
    if (wanted !== null) look()
  })
}

/** Drops all known rates: the server has rejected a call, possibly because a rate changed. */
export function forgetRates(): void {
  answers.clear()
  if (wanted !== null) look()
}

/** Reloads a rate that could only be estimated, once the connection is back. */
export function healRate(): void {
  if ($shown.get().kind !== 'estimate' || wanted === null) return
  stopAsking()
  void ask(wanted)
}

/** With the current caller ID; requested at once if unknown or estimated. Independent of the field. */
export async function settleRate(number: string): Promise<Rate> {
  const question = questionOf(number)
  const known = answers.get(keyOf(question))
  if (known !== undefined) return known
  if (number === wanted) stopAsking()
  const options = { timeoutMs: beforeCallMs }
  const rate = remember(question, await request(numberRate, inputOf(question), options))
  if (number === wanted) show(rate)
  return rate
}
