import { useStore } from '@nanostores/react'
import type { BillingFilter, BillingLine } from '#lib/api/billing.ts'
import { formatBalance, usdToMicroUsd } from '#lib/money/money.ts'
import { $user } from '#session/user.ts'
import { CsvButton } from '#shared/csv-download/CsvButton.tsx'
import { loadCsv } from './billing.ts'
import { texts } from './texts.ts'
import { dayOf, totalsOf } from './wording.ts'

export interface SumsProps {
  readonly lines: readonly BillingLine[]
  readonly show: BillingFilter
  /** True when there are no older lines to load. */
  readonly complete: boolean
}

const dollars = (usd: number) => formatBalance(usdToMicroUsd(usd))

/** The balance, the total bought (only once all purchases are loaded) and the CSV download. */
export function Sums({ lines, show, complete }: SumsProps) {
  const user = useStore($user)
  const totals = totalsOf(lines, complete && (show === 'all' || show === 'purchases'))
  return (
    <div className="sums">
      <p>
        <b className="num">{user === null ? '–' : dollars(user.credits)}</b>
        <span>{texts.yourBalance}</span>
      </p>
      {totals !== null && (
        <>
          <p>
            <b className="num">{dollars(totals.bought)}</b>
            <span>{texts.boughtSince({ day: dayOf(totals.since) })}</span>
          </p>
          <p>
            <b className="num">{dollars(totals.bonus)}</b>
            <span>{texts.bonus}</span>
          </p>
        </>
      )}
      <CsvButton
        label={show === 'all' ? texts.csvAll : texts.csvShown}
        name="billing-history.csv"
        load={loadCsv}
      />
    </div>
  )
}
