import { clockFormat } from '#lib/clock.ts'
import { dateFormat } from '#lib/i18n/date-format.ts'
import styles from './call-ended.module.css'
import { texts } from './texts.ts'

const moment = dateFormat({ day: 'numeric', month: 'short', ...clockFormat })

export interface EndedMarkProps {
  readonly at: Date
  /** Such as `5 min` and `$0.12`. */
  readonly minutes: string
  readonly price: string
  readonly lessThanStamp: boolean
}

/** The postmark that cancels the stamp when a call ends. Decoration: the same is written beside it. */
export function EndedMark({ at, minutes, price, lessThanStamp }: EndedMarkProps) {
  return (
    <svg className={`postmark ${styles['mark']}`} viewBox="0 0 100 100" aria-hidden="true">
      <circle cx="50" cy="50" r="47" />
      <circle cx="50" cy="50" r="31" />
      <path id="ended-top" d="M12.5 50a37.5 37.5 0 0 1 75 0" stroke="none" />
      <path id="ended-bottom" d="M6 50a44 44 0 0 0 88 0" stroke="none" />
      <text textAnchor="middle">
        <textPath href="#ended-top" startOffset="50%">
          {moment(at).toUpperCase()}
        </textPath>
      </text>
      <text textAnchor="middle" className={styles['claim']}>
        <textPath href="#ended-bottom" startOffset="50%">
          {lessThanStamp ? texts.markLessThanStamp : texts.markEnded}
        </textPath>
      </text>
      <text className={`mid ${styles['minutes']}`} x="50" y="48">
        {minutes}
      </text>
      <text className={`mid ${price.length > 5 ? styles['long'] : styles['price']}`} x="50" y="64">
        {price}
      </text>
    </svg>
  )
}
