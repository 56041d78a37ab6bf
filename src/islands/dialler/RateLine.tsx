import { useStore } from '@nanostores/react'
import { formatRate } from '#lib/rules/money.ts'
import type { NumberVerdict } from '#lib/rules/phone.ts'
import { $verdict } from '#stores/dial.ts'
import { $rate, type Rate } from '#stores/rate.ts'
import { $user } from '#stores/user.ts'
import styles from './dialler.module.css'

/** What a minute costs, how long a first call there is free, and beneath it the number as it will be called. */
export function RateLine() {
  const rate = useStore($rate)
  const verdict = useStore($verdict)
  const user = useStore($user)
  const firstIsFree = user === null || !user.has_used_free_call
  return (
    <div className={`under ${styles['price']}`}>
      <p className="num">
        <Price rate={rate} verdict={verdict} firstIsFree={firstIsFree} />
        {/* Always there, so that the line above does not move when the number is complete. */}
        <small>{verdict?.kind === 'ok' ? verdict.formatted : '\u00a0'}</small>
      </p>
    </div>
  )
}

interface PriceProps {
  readonly rate: Rate
  readonly verdict: NumberVerdict | null
  readonly firstIsFree: boolean
}

function Price({ rate, verdict, firstIsFree }: PriceProps) {
  const refused = verdict?.kind === 'unsupported' || verdict?.kind === 'refused'
  if (rate.kind === 'none') return 'The rate shows as you type'
  if (rate.kind === 'unsupported' || refused) {
    return <span className="miss">This destination is currently not supported.</span>
  }
  return (
    <>
      <b>{formatRate(rate.microUsdPerMinute)}</b> per minute
      {rate.kind === 'estimate' && ' (estimate)'}
      {rate.kind === 'known' && firstIsFree && `, ${freeWords(rate.freeMinutes)}`}
    </>
  )
}

/** How long a first call lasts for nothing (decision 20). */
function freeWords(minutes: number): string {
  return minutes === 0 ? 'no free call there' : `first ${minutes} min free`
}
