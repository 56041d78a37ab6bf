import { type ReactNode, useRef } from 'react'
import { Flag } from '#ui/Flag.tsx'
import { useRested } from '#ui/use-rested.ts'
import styles from './calculator.module.css'
import { type Place, setMinutes, stepMinutes } from './calculator.ts'
import { useCalculation } from './use-calculation.ts'
import { callerText, costText, rateText, remarkText, roundingText, spokenText } from './wording.ts'

interface CalculatorProps {
  /** The country in the served page; `microUsdPerMinute` is its rate. */
  readonly place: Place
  readonly microUsdPerMinute: number
  readonly freeMinutes: number
  /** The country list, `calculator-country`: a select of ISO codes, each option `Name +code`. */
  readonly country?: ReactNode
  readonly postmark?: ReactNode
  /** Fallback content without scripts. */
  readonly children?: ReactNode
}

const restMs = 700
/** Number of digits that fit between the buttons at full size. */
const shortCount = 3
/** Longer sums need the postmark's space. */
const shortSum = 8

/** Drawn as a customs slip: what a call will cost (SPEC-2.27, SPEC-5.1). */
export function Calculator({
  place,
  microUsdPerMinute,
  freeMinutes,
  country,
  postmark,
  children,
}: CalculatorProps) {
  const slip = useRef<HTMLElement>(null)
  const calculation = useCalculation(slip, {
    place,
    minutes: '5',
    // The default country, the United States, has no surcharge for any caller ID.
    rate: { kind: 'known', microUsdPerMinute, freeMinutes, maxSurchargeMicroUsd: 0 },
    asking: false,
  })
  const spoken = useRested(spokenText(calculation), restMs)
  const { place: chosen, minutes, rate, asking } = calculation
  const cost = costText(calculation)
  const isEstimate = rate.kind === 'estimate'
  const isLong = cost.length > shortSum
  const isFree = rate.kind === 'known' && rate.freeMinutes !== null && rate.freeMinutes > 0
  return (
    <section className="slip" id="calculator" aria-labelledby="calculator-heading" ref={slip}>
      <header>
        <h2 id="calculator-heading">Rate calculator</h2>
        <span className="small">By the minute</span>
      </header>
      <div className="cells">
        <div className="cell full">
          <label htmlFor="calculator-country">Calling to</label>
          <div className={`pick ${styles['country']}`}>
            {country}
            <Flag key={chosen.isoCode} isoCode={chosen.isoCode} size={24} />
          </div>
        </div>
        <div className="cell">
          <label htmlFor="calculator-minutes">Minutes</label>
          <div className={`stepper ${styles['minutes']}`}>
            <button
              type="button"
              className="tap"
              aria-label="One minute less"
              onClick={() => stepMinutes(-1)}
            >
              <Icon path="M5 12h14" />
            </button>
            <input
              id="calculator-minutes"
              className={minutes.length > shortCount ? styles['many'] : undefined}
              type="number"
              inputMode="numeric"
              min="1"
              step="any"
              value={minutes}
              onChange={event => setMinutes(event.target.value)}
            />
            <button type="button" className="tap" aria-label="One minute more" onClick={() => stepMinutes(1)}>
              <Icon path="M5 12h14M12 5v14" />
            </button>
          </div>
        </div>
        <div className="cell">
          <span className="label">Per minute{isEstimate && ' (estimate)'}</span>
          <p className="num rate">{rateText(calculation)}</p>
        </div>
      </div>
      <div className="tear" />
      <div className={`total ${styles['total']}`} aria-busy={asking}>
        <span className="label">You pay{isEstimate && ' (estimate)'}</span>
        <output
          className={`sum num ${isLong ? styles['long'] : ''}`}
          htmlFor="calculator-country calculator-minutes"
          aria-live="off"
        >
          {cost}
        </output>
        <span hidden={isLong || !isFree}>{postmark}</span>
        <p className={`small ${styles['remark']}`}>{remarkText(calculation)}</p>
        <p className="sr" role="status">
          {spoken}
        </p>
        {rate.kind !== 'unsupported' && <CallLinks place={chosen} />}
        <p className="fine">
          Rates are approximate averages. Part minutes are rounded up.
          {roundingText(calculation) + callerText(calculation)}
        </p>
        {children}
      </div>
    </section>
  )
}

/** Visitors go through registration. Both links are rendered, and the session decides which one shows. */
function CallLinks({ place: { isoCode, name } }: { readonly place: Place }) {
  const path = `/call?country=${isoCode.toLowerCase()}`
  const label = `Call ${name}`
  return (
    <>
      <a className="btn call big wide" href={`/register?next=${encodeURIComponent(path)}`} data-when="out">
        <Phone />
        {label}
      </a>
      <a className="btn call big wide" href={path} data-when="in">
        <Phone />
        {label}
      </a>
    </>
  )
}

/** Lucide icons, copied: the landing page loads them, and Lucide's renderer is larger than the calculator's logic. */
function Icon({ path }: { readonly path: string }) {
  return (
    <svg className="i" viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}

function Phone() {
  return (
    <Icon path="M13.832 16.568a1 1 0 0 0 1.213-.303l.355-.465A2 2 0 0 1 17 15h3a2 2 0 0 1 2 2v3a2 2 0 0 1-2 2A18 18 0 0 1 2 4a2 2 0 0 1 2-2h3a2 2 0 0 1 2 2v3a2 2 0 0 1-.8 1.6l-.468.351a1 1 0 0 0-.292 1.233 14 14 0 0 0 6.392 6.384" />
  )
}
