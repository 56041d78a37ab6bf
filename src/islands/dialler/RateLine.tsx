import { useStore } from '@nanostores/react'
import { $refusal } from '#stores/dial.ts'
import { $freeCall } from '#stores/free-call.ts'
import { $rate } from '#stores/rate.ts'
import { $session } from '#stores/session.ts'
import styles from './dialler.module.css'
import { isNewcomer, rateWords } from './rate-words.ts'
import { useAroundPhone } from './use-around-phone.ts'

/** These two describe the number field. */
export const rateLineId = 'number-rate'
export const localTimeId = 'number-time'

/** What a minute costs, how long a first call there is free, and beneath it the number as it will be called. */
export function RateLine() {
  const around = useAroundPhone(true)
  const refusal = useStore($refusal)
  const rate = useStore($rate)
  const words = rateWords(rate, isNewcomer(useStore($session).status, useStore($freeCall)))
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
          {refusal === null && words !== null && around && <around.LineKind />}
        </span>
        {/* Always there, so that the line above does not move when the number is complete. */}
        <small>{around ? <around.NumberLine /> : '\u00a0'}</small>
      </p>
      {around && <around.SaveContactLink />}
    </div>
  )
}
