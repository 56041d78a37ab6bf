import { useStore } from '@nanostores/react'
import type { BillingFilter } from '#lib/api/billing.ts'
import { $billingFilter, chooseFilter } from './billing.ts'
import styles from './billing-history.module.css'

const labels: Readonly<Record<BillingFilter, string>> = {
  all: 'All',
  purchases: 'Purchases',
  calls: 'Calls',
  refunds: 'Refunds',
}

export function BillingFilters() {
  const chosen = useStore($billingFilter)
  return (
    <fieldset className={styles['filters']}>
      <legend className="sr">Show</legend>
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
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  )
}
