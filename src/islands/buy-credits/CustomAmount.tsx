import { CircleAlert } from 'lucide-react'
import { isPayable } from '#lib/rules/credit-amounts.ts'
import { leastUsd, mostUsd } from '#lib/rules/credits.ts'
import { texts } from '#lib/rules/error-texts.ts'
import { typeAmount } from '#stores/checkout.ts'
import styles from './buy-credits.module.css'
import { freeMinutesText } from './wording.ts'

interface CustomAmountProps {
  /** As typed; empty while a preset is chosen. */
  readonly text: string
  /** It was too small for a checkout that was asked for. */
  readonly refused: boolean
}

/** Any whole amount, 5 to 4000 US dollars. */
export function CustomAmount({ text, refused }: CustomAmountProps) {
  const usd = Number(text)
  return (
    <div className={`formrow ${styles['custom']}`}>
      <div className="field">
        <label htmlFor="custom-amount">Custom amount</label>
        <div className="money">
          <span aria-hidden="true">$</span>
          <input
            className="input num"
            id="custom-amount"
            name="custom"
            type="number"
            inputMode="numeric"
            min={leastUsd}
            max={mostUsd}
            step={1}
            placeholder={`${leastUsd} to ${mostUsd}`}
            value={text}
            aria-invalid={refused}
            aria-describedby="custom-amount-hint"
            onChange={event => typeAmount(event.target.value)}
          />
        </div>
        <p className={refused ? 'error' : 'hint'} id="custom-amount-hint">
          {refused && <CircleAlert className="i" aria-hidden="true" />}
          {refused ? texts.checkout.too_little : 'Whole US dollars'}
        </p>
      </div>
      <em className={styles['free']}>{text !== '' && isPayable(usd) && freeMinutesText(usd)}</em>
    </div>
  )
}
