import { useStore } from '@nanostores/react'
import { Phone } from 'lucide-react'
import { formatRate } from '#lib/money/money.ts'
import { placeName } from '#lib/numbers/place-name.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { $priceQuestion, answerPrice, type PriceQuestion } from './price-question.ts'

export function PriceConfirmation() {
  const question = useStore($priceQuestion)
  return question === null ? null : <Question question={question} />
}

function Question({ question }: { readonly question: PriceQuestion }) {
  const { callee, microUsdPerMinute } = question
  return (
    <Dialog
      title="Confirm the price"
      onClose={() => answerPrice(question, false)}
      footer={
        <>
          <button type="button" className="btn" onClick={() => answerPrice(question, false)}>
            Cancel
          </button>
          <button type="button" className="btn call" onClick={() => answerPrice(question, true)}>
            <Phone className="i" aria-hidden="true" />
            Call at this price
          </button>
        </>
      }
    >
      <p>
        <b className="num">{callee.formatted}</b> is in a range of {placeName(callee.country)} that costs more
        than other numbers there: <b className="num">{formatRate(microUsdPerMinute)} per minute</b>.
      </p>
    </Dialog>
  )
}
