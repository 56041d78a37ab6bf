import { atom, type ReadableAtom } from 'nanostores'
import { numberRate } from '#lib/api/rates.ts'
import { usdToMicroUsd } from '#lib/rules/money.ts'
import { type ApiResult, request } from './transport.ts'

/** What the number in the field costs. `number` is the full number that the answer is about. */
export type Rate =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'known'
      readonly number: string
      readonly microUsdPerMinute: number
      /** How long a first, free call there lasts; 0 means that it is not eligible. */
      readonly freeMinutes: number
    }
  /** The rate could not be read: the specification's fallback, to be shown as an estimate (decision 21). */
  | { readonly kind: 'estimate'; readonly number: string; readonly microUsdPerMinute: number }
  | { readonly kind: 'unsupported'; readonly number: string }

/** Specification section 9: $0.05 per minute where a number's rate cannot be read. */
const fallbackMicroUsdPerMinute = 50_000
/** Typing rests for so long before the rate is asked for. */
const debounceMs = 250
/** The rate of a call under way is of no use later than this. */
const beforeCallMs = 5000

const none: Rate = { kind: 'none' }
const $shown = atom<Rate>(none)
/** The rate of the number in the field. Written here alone. */
export const $rate: ReadableAtom<Rate> = $shown

const answers = new Map<string, Rate>()
let timer: ReturnType<typeof setTimeout> | undefined
let asking: AbortController | undefined

function rateFrom(number: string, result: ApiResult<typeof numberRate>): Rate {
  if (result.ok) {
    const { ourRate, freeMinutes } = result.value
    return { kind: 'known', number, microUsdPerMinute: usdToMicroUsd(ourRate), freeMinutes }
  }
  if (result.status === 404) return { kind: 'unsupported', number }
  console.error(`The rate could not be read: ${result.code} (status ${result.status})`)
  return { kind: 'estimate', number, microUsdPerMinute: fallbackMicroUsdPerMinute }
}

async function ask(number: string, timeoutMs?: number): Promise<void> {
  const mine = new AbortController()
  asking = mine
  const options = { signal: mine.signal, ...(timeoutMs !== undefined && { timeoutMs }) }
  const result = await request(numberRate, { params: { fullNumber: number } }, options)
  if (mine.signal.aborted) return
  const rate = rateFrom(number, result)
  if (rate.kind !== 'estimate') answers.set(number, rate)
  $shown.set(rate)
}

/**
 * Keeps `$rate` at the rate of a full number, as far as it is typed; null when it is too short to have one.
 * The last rate stays on screen while the next is asked for.
 */
export function watchRate(number: string | null): void {
  clearTimeout(timer)
  asking?.abort()
  const known = number === null ? none : answers.get(number)
  if (known !== undefined) $shown.set(known)
  else if (number !== null) timer = setTimeout(() => void ask(number), debounceMs)
}

/** The rate of a number that is about to be called, asked for at once where the page does not know it yet. */
export async function settleRate(number: string): Promise<Rate> {
  const shown = $shown.get()
  if (shown.kind !== 'none' && shown.number === number) return shown
  clearTimeout(timer)
  asking?.abort()
  await ask(number, beforeCallMs)
  return $shown.get()
}
