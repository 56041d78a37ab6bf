import { useRested } from '#ui/use-rested.ts'
import { texts } from './texts.ts'
import { estimateRateText, spokenSummary, summaryTexts } from './wording.ts'

const restMs = 700

/** What the buyer gets and pays, above the button. @param usd whole US dollars; null when no amount is chosen */
export function Summary({ usd }: { readonly usd: number | null }) {
  const { credits, bonus, minutes, pay } = summaryTexts(usd)
  const spoken = useRested(spokenSummary(usd), restMs)
  return (
    <>
      <dl className="receipt">
        <div>
          <dt className="soft">{texts.credits}</dt>
          <dd className="num">{credits}</dd>
        </div>
        <div>
          <dt className="soft">{texts.bonus}</dt>
          <dd className="num">{bonus}</dd>
        </div>
        <div>
          <dt className="soft">{texts.minutesAt({ rate: estimateRateText })}</dt>
          <dd className="num">{minutes}</dd>
        </div>
        <div className="big">
          <dt>{texts.youPay}</dt>
          <dd className="num">{pay}</dd>
        </div>
      </dl>
      <p className="sr" role="status">
        {spoken}
      </p>
    </>
  )
}
