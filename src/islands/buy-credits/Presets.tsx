import { presetsUsd } from '#lib/money/credit-amounts.ts'
import { choosePreset } from './checkout.ts'
import { freeMinutesText, presetMinutesText } from './wording.ts'

/** Preset amounts, drawn as a sheet of stamps. @param chosen US dollars; null with a custom amount */
export function Presets({ chosen }: { readonly chosen: number | null }) {
  return (
    <fieldset className="denoms">
      <legend className="sr">Amount</legend>
      {presetsUsd.map(usd => (
        <div key={usd} className="stamp">
          <label className="plate">
            <input
              className="sr"
              type="radio"
              name="preset"
              value={usd}
              checked={usd === chosen}
              onChange={() => choosePreset(usd)}
            />
            <b className="num">{`$${usd}`}</b>
            <small className="num">{presetMinutesText(usd)}</small>
            <em>{freeMinutesText(usd)}</em>
          </label>
        </div>
      ))}
    </fieldset>
  )
}
