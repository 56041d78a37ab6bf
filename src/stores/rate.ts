import { atom, type ReadableAtom } from 'nanostores'
import { numberRate } from '#lib/api/rates.ts'
import { usdToMicroUsd } from '#lib/rules/money.ts'
import type { RateKind } from '#lib/rules/tariff.ts'
import { type ApiResult, request } from './transport.ts'

/** What the number in the field costs. `number` is the full number that the answer is about. */
export type Rate =
  | { readonly kind: 'none' }
  /** The number changed and its rate is not here yet. */
  | { readonly kind: 'pending' }
  | {
      readonly kind: 'known'
      readonly number: string
      readonly microUsdPerMinute: number
      /** How long a first, free call there lasts; 0 means that it is not eligible. */
      readonly freeMinutes: number
      /** Only the ranges dearer than ordinary are `special`. */
      readonly lineKind: RateKind
      /** IANA name, where the country or the area code keeps one time. */
      readonly timeZone?: string | undefined
    }
  /** The rate could not be read: the specification's fallback, to be shown as an estimate (decision 21). */
  | { readonly kind: 'estimate'; readonly number: string; readonly microUsdPerMinute: number }
  | { readonly kind: 'unsupported'; readonly number: string }

/** Specification section 9: $0.05 per minute where a number's rate cannot be read. */
const fallbackMicroUsdPerMinute = 50_000
/** Typing rests for so long before the rate is asked for. */
const debounceMs = 250
/** The rate of the number before stays on screen for so long, so that a quick answer does not flicker. */
const staleMs = 300
/** The rate of a call under way is of no use later than this. */
const beforeCallMs = 5000

const none: Rate = { kind: 'none' }
const $shown = atom<Rate>(none)
/** The rate of the number in the field. Written here alone. */
export const $rate: ReadableAtom<Rate> = $shown

const answers = new Map<string, Rate>()
/** The number in the field; null while it is too short to have a rate. */
let wanted: string | null = null
let resting: ReturnType<typeof setTimeout> | undefined
let ageing: ReturnType<typeof setTimeout> | undefined
let asking: AbortController | undefined

function rateFrom(number: string, result: ApiResult<typeof numberRate>): Rate {
  if (result.ok) {
    const { ourRate, freeMinutes, kind: lineKind, timeZone } = result.value
    return {
      kind: 'known',
      number,
      microUsdPerMinute: usdToMicroUsd(ourRate),
      freeMinutes,
      lineKind,
      timeZone,
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

/** Gives up on what is shown, unless something better comes soon. */
function outdate(): void {
  ageing ??= setTimeout(() => show({ kind: 'pending' }), staleMs)
}

function remember(number: string, result: ApiResult<typeof numberRate>): Rate {
  const rate = rateFrom(number, result)
  if (rate.kind !== 'estimate') answers.set(number, rate)
  return rate
}

function stopAsking(): void {
  clearTimeout(resting)
  asking?.abort()
}

async function ask(number: string): Promise<void> {
  const mine = new AbortController()
  asking = mine
  const result = await request(numberRate, { params: { fullNumber: number } }, { signal: mine.signal })
  if (!mine.signal.aborted) show(remember(number, result))
}

/**
 * Keeps `$rate` at the rate of a full number, as far as it is typed; null when it is too short to have one.
 * The last rate stays on screen for a moment while the next is asked for.
 */
export function watchRate(number: string | null): void {
  if (number === wanted) return
  wanted = number
  stopAsking()
  const known = number === null ? none : answers.get(number)
  if (known !== undefined) {
    show(known)
  } else if (number !== null) {
    outdate()
    resting = setTimeout(() => void ask(number), debounceMs)
  }
}

/** Asks again for a rate that could only be estimated: the connection is back. */
export function healRate(): void {
  if ($shown.get().kind !== 'estimate' || wanted === null) return
  stopAsking()
  void ask(wanted)
}

/**
 * The rate of a number that is about to be called, asked for at once where the page does not know it yet
 * or only estimates it. Always that number's own, whatever is in the field by then.
 */
export async function settleRate(number: string): Promise<Rate> {
  const known = answers.get(number)
  if (known !== undefined) return known
  if (number === wanted) stopAsking()
  const options = { timeoutMs: beforeCallMs }
  const rate = remember(number, await request(numberRate, { params: { fullNumber: number } }, options))
  if (number === wanted) show(rate)
  return rate
}
