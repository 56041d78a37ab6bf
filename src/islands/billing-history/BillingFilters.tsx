import { useStore } from '@nanostores/react'
import type { BillingFilter } from '#lib/api/billing.ts'
import { $billingFilter, chooseFilter } from './billing.ts'
import styles from './billing-history.module.css'
import { texts } from './texts.ts'

const labels: { readonly [Filter in BillingFilter]: `filter${Capitalize<Filter>}` } = {
  all: 'filterAll',
  purchases: 'filterPurchases',
  calls: 'filterCalls',
  refunds: 'filterRefunds',
}

export function BillingFilters() {
  const chosen = useStore($billingFilter)
  return (
    <fieldset className={styles['filters']}>
      <legend className="sr">{texts.show}</legend>
      {Object.entries(labels).map(([show, label]) => (
        <label key={show} className={styles['filter']}>
          <input
            type="radio"
            name="show"
            className="sr"
            value={show}
            checked={chosen === show}
            onChange={() => void chooseFilter(show as BillingFilter)}
          />
          <span>{texts[label]}</span>
        </label>
      ))}
    </fieldset>
  )
}
