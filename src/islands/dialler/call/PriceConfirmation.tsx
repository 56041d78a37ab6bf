import { useStore } from '@nanostores/react'
import { Phone } from 'lucide-react'
import { formatRate } from '#lib/money/money.ts'
import { placeName } from '#lib/numbers/place-name.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { $priceQuestion, answerPrice, type PriceQuestion } from './price-question.ts'
import { texts } from './texts.ts'

export function PriceConfirmation() {
  const question = useStore($priceQuestion)
  return question === null ? null : <Question question={question} />
}

function Question({ question }: { readonly question: PriceQuestion }) {
  const { callee, microUsdPerMinute } = question
  return (
    <Dialog
      title={texts.confirmPrice}
      onClose={() => answerPrice(question, false)}
      footer={
        <>
          <button type="button" className="btn" onClick={() => answerPrice(question, false)}>
            {texts.cancel}
          </button>
          <button type="button" className="btn call" onClick={() => answerPrice(question, true)}>
            <Phone className="i" aria-hidden="true" />
            {texts.callAtPrice}
          </button>
        </>
      }
    >
      <p>
        {texts.expensiveRange({
          number: callee.formatted,
          place: placeName(callee.country),
          rate: formatRate(microUsdPerMinute),
          callee: number => (
            <b key="callee" className="num">
              {number}
            </b>
          ),
          price: price => (
            <b key="price" className="num">
              {price}
            </b>
          ),
        })}
      </p>
    </Dialog>
  )
}
