import { CircleAlert } from 'lucide-react'
import { isPayable } from '#lib/money/credit-amounts.ts'
import { maxUsd, minUsd } from '#lib/money/credits.ts'
import { faceAmount } from '#lib/money/face-value.ts'
import { checkout } from '#shared/checkout/texts.ts'
import { takeAnyDigits } from '#ui/take-any-digits.ts'
import styles from './buy-credits.module.css'
import { typeAmount } from './checkout.ts'
import { texts } from './texts.ts'
import { freeMinutesText, presetMinutesText } from './wording.ts'

interface CustomAmountProps {
  /** Raw input; empty while a preset is chosen. */
  readonly text: string
  /** True after a checkout was rejected because the amount is too small. */
  readonly refused: boolean
}

/** A whole amount from 5 to 4000 US dollars. */
export function CustomAmount({ text, refused }: CustomAmountProps) {
  const usd = Number(text)
  return (
    <div className={`formrow ${styles['custom']}`}>
      <div className="field">
        <label htmlFor="custom-amount">{texts.custom}</label>
        <div className="money">
          <span aria-hidden="true">$</span>
          <input
            ref={takeAnyDigits}
            className="input num"
            id="custom-amount"
            name="custom"
            type="number"
            inputMode="numeric"
            min={minUsd}
            max={maxUsd}
            step={1}
            placeholder={texts.range({ min: String(minUsd), max: String(maxUsd) })}
            value={text}
            aria-invalid={refused}
            aria-describedby="custom-amount-hint"
            onChange={event => typeAmount(event.target.value)}
          />
        </div>
        <p className={refused ? 'error' : 'hint'} id="custom-amount-hint">
          {refused && <CircleAlert className="i" aria-hidden="true" />}
          {refused ? checkout.noAmount : texts.whole}
        </p>
      </div>
      {text !== '' && isPayable(usd) && <AmountStamp usd={usd} />}
    </div>
  )
}

/** The chosen amount as a stamp like those of the presets, such as the $5 stamp of the landing page. */
function AmountStamp({ usd }: { readonly usd: number }) {
  return (
    <div className={`stamp ${styles['stamp']}`}>
      <p className="plate">
        <b className="num">{faceAmount(usd)}</b>
        <small className="num">{presetMinutesText(usd)}</small>
        <em>{freeMinutesText(usd)}</em>
      </p>
    </div>
  )
}
