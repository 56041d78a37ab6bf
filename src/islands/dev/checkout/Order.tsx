import { ArrowLeft } from 'lucide-react'
import type { CheckoutView } from '#lib/api/local-checkout.ts'
import { company } from '#lib/company.ts'
import { bonusCredits } from '#lib/money/credits.ts'
import { formatCharge, usdToMicroUsd } from '#lib/money/money.ts'
import styles from './dev-checkout.module.css'

export function dollars(usd: number): string {
  return formatCharge(usdToMicroUsd(usd))
}

export function Order({ view }: { readonly view: CheckoutView }) {
  const isGift = view.purpose === 'gift'
  const bonus = isGift ? 0 : bonusCredits(view.amount)
  return (
    <section aria-labelledby="checkout-amount">
      <a className={`more ${styles['back']}`} href={view.cancelUrl}>
        <ArrowLeft className="i" aria-hidden="true" />
        Cancel and go back
      </a>
      <h1 id="checkout-amount">
        <small>Pay {company.name}</small> <span className="num">{dollars(view.amount)}</span>
      </h1>
      <dl className="receipt">
        <div>
          <dt>{isGift ? 'Booklet of credits' : 'Calling credits'}</dt>
          <dd className="num">{dollars(view.amount)}</dd>
        </div>
        {bonus > 0 && (
          <div>
            <dt>Bonus credits</dt>
            <dd className="num">{dollars(bonus)}</dd>
          </div>
        )}
        <div className="big">
          <dt>Total today</dt>
          <dd className="num">{dollars(view.amount)}</dd>
        </div>
      </dl>
      <p className="small soft">{view.description}</p>
      <p className="small soft">The receipt goes to {view.email}.</p>
      {view.savesCard && <p className="small soft">The card is saved for auto top-up.</p>}
    </section>
  )
}
