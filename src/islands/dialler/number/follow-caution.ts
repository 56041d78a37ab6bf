import { countryRate } from '#lib/api/rates.ts'
import { formatRate, usdToMicroUsd } from '#lib/money/money.ts'
import type { NumberVerdict } from '#lib/numbers/phone.ts'
import { request } from '#session/transport.ts'
import { cautionTexts } from '#shared/numbers/caution-texts.ts'
import { isRiskyNumber } from '#shared/numbers/risky-numbers.ts'
import { showCaution } from './caution.ts'
import { $fullNumber, $paintedDial, $verdict, type Dial } from './dial.ts'
import { $rate, type Rate } from './rate.ts'

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

type KnownRate = Extract<Rate, { readonly kind: 'known' }>

/** That a number range is far more expensive than its country's ordinary rate; null if it is not, or that is unknown. */
async function highRateText(rate: KnownRate, verdict: NumberVerdict | null): Promise<string | null> {
  if (rate.rateKind !== 'special' || verdict?.kind !== 'ok' || verdict.type === 'toll_free') return null
  const ordinary = await ordinaryRate(verdict.isoCode)
  if (ordinary === undefined) return null
  const times = Math.round(rate.microUsdPerMinute / ordinary)
  if (times < highRateFactor) return null
  return cautionTexts.highRate({ rate: formatRate(rate.microUsdPerMinute), times: String(times) })
}

/** That the user's caller ID makes the call more expensive, by how much, and the rate without it; null if it does not. */
function surchargeText({ surchargeMicroUsd, microUsdPerMinute }: KnownRate): string | null {
  if (surchargeMicroUsd === 0) return null
  return cautionTexts.surcharge({
    surcharge: formatRate(surchargeMicroUsd),
    publicRate: formatRate(microUsdPerMinute - surchargeMicroUsd),
  })
}

/** Where both apply, the line has room for the surcharge in short. */
function bothText(highRate: string, { surchargeMicroUsd }: KnownRate): string {
  if (surchargeMicroUsd === 0) return highRate
  return `${highRate} ${cautionTexts.shortSurcharge({ surcharge: formatRate(surchargeMicroUsd) })}`
}

function numberText(number: string | null, verdict: NumberVerdict | null): string | null {
  if (number !== null && isRiskyNumber(number)) return cautionTexts.risky
  return verdict?.kind === 'ok' && verdict.type === 'toll_free' ? cautionTexts.tollFree : null
}

/** A price comes before everything else about the number. */
async function look(): Promise<void> {
  if (!rested) return
  const [number, rate, verdict] = [$fullNumber.get(), $rate.get(), $verdict.get()]
  const known = rate.kind === 'known' && rate.number === number ? rate : null
  const surcharge = known === null ? null : surchargeText(known)
  const text = numberText(number, verdict)
  if (surcharge !== null) showCaution({ kind: 'price', text: surcharge })
  else showCaution(text === null ? null : { kind: 'number', text })
  const highRate = known === null ? null : await highRateText(known, verdict)
  if (known === null || highRate === null || !rested || $rate.get() !== rate) return
  showCaution({ kind: 'price', text: bothText(highRate, known) })
}

export function followCaution(): void {
  let before: Dial | undefined
  $paintedDial.subscribe(dial => {
    if (dial.typed === before?.typed && dial.country === before.country) return
    before = dial
    rested = false
    showCaution(null)
    clearTimeout(resting)
    resting = setTimeout(() => {
      rested = true
      void look()
    }, typingStopsMs)
  })
  $fullNumber.listen(() => void look())
  $rate.listen(() => void look())
}
