import { countryRate } from '#lib/api/rates.ts'
import { texts } from '#lib/rules/error-texts.ts'
import { usdToMicroUsd } from '#lib/rules/money.ts'
import { isRiskyNumber } from '#lib/rules/risky-numbers.ts'
import { showCaution } from './caution.ts'
import { $dial, $fullNumber, $phoneRules, $verdict } from './dial.ts'
import { $rate } from './rate.ts'
import { request } from './transport.ts'

/** Typing has stopped when nothing was typed for so long. */
export const typingStopsMs = 700
/** A special range is worth a word from this many times the country's ordinary rate. */
const dearTimes = 2

const ordinaryRates = new Map<string, number>()
let resting: ReturnType<typeof setTimeout> | undefined
/** The number was not edited for a while. */
let rested = false

/** The country's ordinary mobile rate, micro-dollars a minute; undefined when it cannot be read. */
async function ordinaryRate(isoCode: string): Promise<number | undefined> {
  const known = ordinaryRates.get(isoCode)
  if (known !== undefined) return known
  const result = await request(countryRate, { params: { isoCode } })
  if (!result.ok) return undefined
  const microUsd = usdToMicroUsd(result.value.ourRate)
  ordinaryRates.set(isoCode, microUsd)
  return microUsd
}

/** A number of a range that is far dearer than its country is otherwise says so. */
async function tellDear(): Promise<void> {
  const [rate, verdict] = [$rate.get(), $verdict.get()]
  if (rate.kind !== 'known' || rate.lineKind !== 'special' || verdict?.kind !== 'ok') return
  if (rate.number !== verdict.e164) return
  const ordinary = await ordinaryRate(verdict.isoCode)
  if (!rested || $rate.get() !== rate || ordinary === undefined) return
  const times = Math.round(rate.microUsdPerMinute / ordinary)
  if (times >= dearTimes) showCaution(`Special number: about ${times} times the usual rate.`)
}

function look(): void {
  if (!rested) return
  const number = $fullNumber.get()
  const risky = number !== null && isRiskyNumber(number)
  const verdict = $verdict.get()
  const tollFree = verdict?.kind === 'ok' && verdict.type === 'toll_free'
  const aside = tollFree ? ($phoneRules.get()?.tollFreeMessage ?? null) : null
  showCaution(risky ? texts.numbers.risky : aside)
  if (!risky && !tollFree) void tellDear()
}

/** Keeps the caution in step with the number: it goes at the first edit and comes when typing has stopped. */
export function followCaution(): void {
  let before: ReturnType<typeof $dial.get> | undefined
  // Also for a number that is there already.
  $dial.subscribe(dial => {
    if (dial.typed === before?.typed && dial.country === before.country) return
    before = dial
    rested = false
    showCaution(null)
    clearTimeout(resting)
    resting = setTimeout(() => {
      rested = true
      look()
    }, typingStopsMs)
  })
  $fullNumber.listen(look)
  $rate.listen(look)
}
