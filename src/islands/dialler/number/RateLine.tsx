import { useStore } from '@nanostores/react'
import { $session } from '#session/session.ts'
import { $freeCall } from '../call/free-call.ts'
import styles from '../dialler.module.css'
import { texts } from '../texts.ts'
import { useLazyDialler } from '../use-lazy-dialler.ts'
import { rateLineId } from './description-ids.ts'
import { $rejection } from './dial.ts'
import { $rate } from './rate.ts'
import { isNewcomer, rateText } from './rate-text.ts'

/** The rate, the length of a free first call and, beneath, the number as it will be called. */
export function RateLine() {
  const lazy = useLazyDialler(true)
  const rejection = useStore($rejection)
  const rate = useStore($rate)
  const parts = rateText(rate, isNewcomer(useStore($session).status, useStore($freeCall)), price => (
    <b key="price">{price}</b>
  ))
  const text = rejection?.kind === 'refused' ? rejection.text : null
  const pending = rate.kind === 'pending' && text === null
  return (
    <div className={`under ${styles['price']}`}>
      <p className="num" id={rateLineId} aria-busy={pending}>
        <span>
          {/* Announces results only, not hints or loading. */}
          <span role="status">{text !== null ? <span className="miss">{text}</span> : parts}</span>
          {text === null && parts === null && (pending ? '…' : texts.rateHint)}
          {text === null && parts !== null && lazy && <lazy.NumberType />}
        </span>
        {/* Always rendered, so that the line above does not move when the number is complete. */}
        <small>{lazy ? <lazy.FormattedNumber /> : '\u00a0'}</small>
      </p>
      {lazy && <lazy.SaveContactLink />}
    </div>
  )
}
