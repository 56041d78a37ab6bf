import { type ReactNode, useRef } from 'react'
import { ownReferralScript, type ReferralScript } from '#lib/account/referral-script.ts'
import { Flag } from '#ui/Flag.tsx'
import { takeAnyDigits } from '#ui/take-any-digits.ts'
import { useRested } from '#ui/use-rested.ts'
import { CallLinks } from './CallLinks.tsx'
import styles from './calculator.module.css'
import { type Place, setMinutes, stepMinutes } from './calculator.ts'
import { usePromise, withoutFreeCall } from './free-call-promise.ts'
import { Icon } from './Icon.tsx'
import { maxMinutes } from './minutes-cost.ts'
import { NumberCell } from './NumberCell.tsx'
import { texts } from './texts.ts'
import { useCalculation } from './use-calculation.ts'
import { useCalling } from './use-calling.ts'
import { callerText, costText, rateText, remarkText, roundingText, spokenText } from './wording.ts'

interface CalculatorProps {
  /** The country in the served page; `microUsdPerMinute` is its rate. */
  readonly place: Place
  readonly microUsdPerMinute: number
  readonly freeMinutes: number
  /** The country list, `calculator-country`: a select of ISO codes, each option `Name +code`. */
  readonly country?: ReactNode
  readonly postmark?: ReactNode
  /** By default our own script. */
  readonly referral?: ReferralScript | undefined
  /** Fallback content without scripts. */
  readonly children?: ReactNode
}

const restMs = 700
/** Number of digits that fit between the buttons at full size. */
const shortCount = 3
/** Longer sums are set smaller, and still longer ones need the postmark's space. */
const largeSum = 7
const shortSum = 8

/** Drawn as a customs slip: what a call will cost (SPEC-2.27, SPEC-5.1). */
export function Calculator({
  place,
  microUsdPerMinute,
  freeMinutes,
  country,
  postmark,
  referral = ownReferralScript,
  children,
}: CalculatorProps) {
  const slip = useRef<HTMLElement>(null)
  const promised = usePromise()
  const known = useCalculation(slip, {
    place,
    minutes: '5',
    number: { kind: 'none' },
    // The default country, the United States, has no surcharge for any caller ID.
    rate: { kind: 'known', microUsdPerMinute, freeMinutes, maxSurchargeMicroUsd: 0 },
    asking: false,
  })
  const calculation = promised ? known : withoutFreeCall(known)
  const calling = useCalling(calculation.number, referral)
  const spoken = useRested(spokenText(calculation), restMs)
  const { place: chosen, minutes, rate, asking } = calculation
  const cost = costText(calculation)
  const isEstimate = rate.kind === 'estimate'
  // Without the marks that direct it.
  const { length } = cost.replace(/\p{Cf}/gu, '')
  const isFree = rate.kind === 'known' && rate.freeMinutes !== null && rate.freeMinutes > 0
  return (
    <section className="slip" id="calculator" aria-labelledby="calculator-heading" ref={slip}>
      <header>
        <h2 id="calculator-heading">{texts.title}</h2>
        <span className="small">{texts.byMinute}</span>
      </header>
      <div className="cells">
        <NumberCell calculation={calculation} pressed={calling.pressed} onCall={calling.call} />
        <div className="cell full">
          <label htmlFor="calculator-country">{texts.callingTo}</label>
          <div className={`pick ${styles['country']}`}>
            {country}
            <Flag key={chosen.isoCode} isoCode={chosen.isoCode} size={24} />
          </div>
        </div>
        <div className="cell">
          <label htmlFor="calculator-minutes">{texts.minutes}</label>
          <div className={`stepper ${styles['minutes']}`}>
            <button type="button" className="tap" aria-label={texts.less} onClick={() => stepMinutes(-1)}>
              <Icon path="M5 12h14" />
            </button>
            <input
              ref={takeAnyDigits}
              id="calculator-minutes"
              className={minutes.length > shortCount ? styles['many'] : undefined}
              type="number"
              inputMode="numeric"
              min="1"
              max={maxMinutes}
              step="any"
              value={minutes}
              onChange={event => setMinutes(event.target.value)}
            />
            <button type="button" className="tap" aria-label={texts.more} onClick={() => stepMinutes(1)}>
              <Icon path="M5 12h14M12 5v14" />
            </button>
          </div>
        </div>
        <div className="cell">
          <span className="label">{isEstimate ? texts.perMinuteEstimate : texts.perMinute}</span>
          <p className="num rate">{rateText(calculation)}</p>
        </div>
      </div>
      <div className="tear" />
      <div className={`total ${styles['total']}`} aria-busy={asking}>
        <span className="label">{isEstimate ? texts.youPayEstimate : texts.youPay}</span>
        <output
          className={`sum num ${length > largeSum ? styles['long'] : ''}`}
          htmlFor="calculator-country calculator-minutes"
          aria-live="off"
        >
          {cost}
        </output>
        <span hidden={length > shortSum || !isFree}>{postmark}</span>
        <p className={`small ${styles['remark']}`}>
          {[roundingText(calculation), remarkText(calculation)].filter(Boolean).join(' ')}
        </p>
        <p className="sr" role="status">
          {spoken}
        </p>
        {rate.kind !== 'unsupported' && <CallLinks place={chosen} calling={calling} referral={referral} />}
        <p className="fine">
          {texts.averages} {callerText(calculation)}
        </p>
        {children}
      </div>
    </section>
  )
}
