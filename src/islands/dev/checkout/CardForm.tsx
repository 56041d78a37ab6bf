import { CircleAlert, LoaderCircle, Lock } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import type { CheckoutView, Delivery } from '#lib/api/local-checkout.ts'
import { cardDigits } from '#lib/money/payment-card.ts'
import { testCards } from '#lib/money/test-cards.ts'
import { focusFirstFault } from '#ui/check.ts'
import { useBusy } from '#ui/use-busy.ts'
import { Chips } from '../Chips.tsx'
import { CardCell } from './CardCell.tsx'
import { type CardField, faultsIn, fillIn, noFaults, nothingTyped } from './card-fields.ts'
import styles from './dev-checkout.module.css'
import { pay } from './local-checkout.ts'
import { dollars } from './Order.tsx'
import type { Bank } from './use-authentication.ts'

const fields: readonly CardField[] = ['number', 'expiry', 'code', 'name']

const deliveries: readonly { readonly value: Delivery; readonly label: string }[] = [
  { value: 'prompt', label: 'at once' },
  { value: 'late', label: 'after 20 seconds' },
  { value: 'twice', label: 'twice' },
  { value: 'out_of_order', label: 'out of order' },
]

/** Validated on Pay, not on blur: an error that appears on blur would move the button away from the pointer. */
export function CardForm({ view, bank }: { readonly view: CheckoutView; readonly bank: Bank }) {
  const [typed, setTyped] = useState(nothingTyped)
  const [faults, setFaults] = useState(noFaults)
  const [formError, setFormError] = useState<string | null>(null)
  const [delivery, setDelivery] = useState<Delivery>('prompt')
  const { slow, run } = useBusy()
  const asking = view.state === 'authenticating'
  const problem = formError ?? (asking ? null : bank.failure)
  const label = asking ? 'Waiting for the bank' : slow ? 'Paying…' : `Pay ${dollars(view.amount)}`

  const type = (field: CardField, value: string) => {
    const next = { ...typed, [field]: value }
    setTyped(next)
    if (faults[field] !== null) setFaults({ ...faults, [field]: faultsIn(next)[field] })
  }
  const choose = (digits: string) => {
    setTyped(fillIn(digits))
    setFaults(noFaults)
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const found = faultsIn(typed)
    setFaults(found)
    setFormError(null)
    bank.forget()
    if (fields.some(field => found[field] !== null)) return focusFirstFault(form)
    const { number, expiry, code } = typed
    const card = { number: cardDigits(number), expiry: cardDigits(expiry), code: cardDigits(code) }
    run(async () => {
      setFormError(await pay(card, delivery))
      return 'done'
    })
  }

  return (
    <form className="slip" method="post" noValidate onSubmit={submit} aria-labelledby="card-heading">
      <header>
        <h2 id="card-heading">Card</h2>
        <span className="small">No bank is contacted</span>
      </header>
      <Chips
        label="Fill in a test card that"
        name="test-card"
        choices={testCards.map(card => ({ value: card.digits, label: card.label }))}
        chosen={cardDigits(typed.number)}
        onChoose={choose}
      />
      <div className="cells">
        {fields.map(field => (
          <CardCell
            key={field}
            field={field}
            value={typed[field]}
            fault={faults[field]}
            refusedBy={field === 'number' && problem !== null ? 'card-rejection' : undefined}
            onType={value => type(field, value)}
          />
        ))}
      </div>
      <Chips
        label="Tell the merchant"
        name="delivery"
        choices={deliveries}
        chosen={delivery}
        onChoose={setDelivery}
      />
      <div className="pay">
        <div role="alert" id="card-rejection">
          {problem !== null && (
            <p className="note bad">
              <CircleAlert className="i" aria-hidden="true" />
              <span>{problem}</span>
            </p>
          )}
        </div>
        <button type="submit" className="btn primary big wide">
          {slow ? (
            <LoaderCircle className={`i ${styles['ring']}`} aria-hidden="true" />
          ) : (
            <Lock className="i" aria-hidden="true" />
          )}
          {label}
        </button>
        <span className="sr" role="status">
          {slow ? label : ''}
        </span>
      </div>
    </form>
  )
}
