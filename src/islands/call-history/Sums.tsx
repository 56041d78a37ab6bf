import { useStore } from '@nanostores/react'
import type { CallRecord } from '#lib/api/calls.ts'
import { monthTotals } from '#lib/rules/call-totals.ts'
import { formatLength } from '#lib/rules/duration.ts'
import { formatBalance, formatCharge, usdToMicroUsd } from '#lib/rules/money.ts'
import { $user } from '#stores/user.ts'

export interface SumsProps {
  readonly calls: readonly CallRecord[]
  /** Whether there are no older calls than these. */
  readonly complete: boolean
}

/** This month's time and cost, where every call of the month is listed, and the balance once it is known. */
export function Sums({ calls, complete }: SumsProps) {
  const user = useStore($user)
  const now = new Date()
  const totals = monthTotals(calls, complete, now)
  return (
    <div className="sums">
      {totals !== null && (
        <>
          <p>
            <b className="num">{formatLength(totals.talkedSeconds)}</b>
            <span>in {new Intl.DateTimeFormat('en', { month: 'long' }).format(now)}</span>
          </p>
          <p>
            <b className="num">{formatCharge(totals.costMicroUsd)}</b>
            <span>spent</span>
          </p>
        </>
      )}
      <p>
        <b className="num">{user === null ? '–' : formatBalance(usdToMicroUsd(user.credits))}</b>
        <span>balance</span>
      </p>
    </div>
  )
}
