import { countryRate } from '#lib/api/rates.ts'
import { formatRate, usdToMicroUsd } from '#lib/money/money.ts'
import { texts } from '#lib/texts.ts'
import { request } from '#session/transport.ts'
import { $phoneRules } from '#shared/numbers/phone-rules.ts'
import { isRiskyNumber } from '#shared/numbers/risky-numbers.ts'
import { showCaution } from './caution.ts'
import { $dial, $fullNumber, $verdict } from './dial.ts'
import { $rate } from './rate.ts'

/** Pause after which typing counts as finished. */
export const typingStopsMs = 700
/** Warn from this multiple of the country's ordinary rate. */
const highRateFactor = 2

const ordinaryRates = new Map<string, number>()
let resting: ReturnType<typeof setTimeout> | undefined
let rested = false

/** The country's ordinary mobile rate, micro-dollars per minute; undefined if it cannot be read. */
async function ordinaryRate(isoCode: string): Promise<number | undefined> {
  const known = ordinaryRates.get(isoCode)
  if (known !== undefined) return known
  const result = await request(countryRate, { params: { isoCode } })
  if (!result.ok) return undefined
  const microUsd = usdToMicroUsd(result.value.ourRate)
  ordinaryRates.set(isoCode, microUsd)
  return microUsd
}

/** Warns of a number range far more expensive than its country's ordinary rate. */
async function warnOfHighRate(): Promise<void> {
  const [rate, verdict] = [$rate.get(), $verdict.get()]
  if (rate.kind !== 'known' || rate.rateKind !== 'special' || verdict?.kind !== 'ok') return
  if (rate.number !== verdict.e164) return
  const ordinary = await ordinaryRate(verdict.isoCode)
  if (!rested || $rate.get() !== rate || ordinary === undefined) return
  const times = Math.round(rate.microUsdPerMinute / ordinary)
  if (times >= highRateFactor) {
    const text = `${formatRate(rate.microUsdPerMinute)} a minute, ${times}× the usual rate.`
    showCaution({ kind: 'price', text })
  }
}

/** Warns that the user's caller ID makes the call more expensive, by how much, and the rate without it. */
function warnOfSurcharge(): void {
  const rate = $rate.get()
  if (rate.kind !== 'known' || rate.surchargeMicroUsd === 0 || rate.number !== $fullNumber.get()) return
  const publicly = formatRate(rate.microUsdPerMinute - rate.surchargeMicroUsd)
  const text = `Your own number adds ${formatRate(rate.surchargeMicroUsd)} a minute there. Public number: ${publicly}.`
  showCaution({ kind: 'price', text })
}

function look(): void {
  if (!rested) return
  const number = $fullNumber.get()
  const risky = number !== null && isRiskyNumber(number)
  const verdict = $verdict.get()
  const tollFree = verdict?.kind === 'ok' && verdict.type === 'toll_free'
  const aside = tollFree ? ($phoneRules.get()?.tollFreeMessage ?? null) : null
  const text = risky ? texts.numbers.risky : aside
  showCaution(text === null ? null : { kind: 'number', text })
  if (risky) return
  if (!tollFree) void warnOfHighRate()
  warnOfSurcharge()
}

export function followCaution(): void {
  let before: ReturnType<typeof $dial.get> | undefined
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
