import { useStore } from '@nanostores/react'
import { Moon, Phone, Smartphone } from 'lucide-react'
import { $reached, $refusal } from '#stores/dial.ts'
import { $rate, type Rate } from '#stores/rate.ts'
import { $session } from '#stores/session.ts'
import { $user } from '#stores/user.ts'
import styles from './dialler.module.css'
import { isNight, timeIn } from './local-hour.ts'
import { isNewcomer, rateWords } from './rate-words.ts'
import { SaveContactLink } from './SaveContactLink.tsx'
import { useMinute } from './use-minute.ts'

/** Describes the number field. */
export const rateLineId = 'number-rate'

/** What a minute costs, how long a first call there is free, and beneath it the number as it will be called. */
export function RateLine() {
  const reached = useStore($reached)
  const refusal = useStore($refusal)
  const rate = useStore($rate)
  const words = rateWords(rate, isNewcomer(useStore($session).status, useStore($user)))
  const pending = rate.kind === 'pending' && refusal === null
  return (
    <div className={`under ${styles['price']}`}>
      <p className="num" id={rateLineId} aria-busy={pending}>
        <span>
          {/* Only what there is to tell is announced: no hint, no waiting. */}
          <span role="status">
            {refusal !== null ? (
              <span className="miss">{refusal}</span>
            ) : (
              words !== null && (
                <>
                  <b>{words[0]}</b>
                  {words[1]}
                </>
              )
            )}
          </span>
          {refusal === null && words === null && (pending ? '…' : 'The rate shows as you type')}
        </span>
        {/* Always there, so that the line above does not move when the number is complete. */}
        <small>{reached !== null ? <Reached formatted={reached} rate={rate} /> : '\u00a0'}</small>
      </p>
      <SaveContactLink />
    </div>
  )
}

/** The number as it will be called, what kind of telephone it is, and what time it is there: a moon at night. */
function Reached({ formatted, rate }: { readonly formatted: string; readonly rate: Rate }) {
  const now = useMinute()
  if (rate.kind !== 'known' || rate.lineKind === 'special') return formatted
  const time = rate.timeZone === undefined ? undefined : timeIn(rate.timeZone, now)
  const night = time !== undefined && isNight(time)
  const mobile = rate.lineKind === 'mobile'
  const Icon = night ? Moon : mobile ? Smartphone : Phone
  return (
    <>
      <Icon className="i" aria-hidden="true" />
      <span className={styles['reached']}>
        <span className="sr">{mobile ? 'Mobile ' : 'Landline '}</span>
        <span>{formatted}</span>
        {time !== undefined && <span>{`, ${time} there`}</span>}
        {night && <span className="sr">, night</span>}
      </span>
    </>
  )
}
