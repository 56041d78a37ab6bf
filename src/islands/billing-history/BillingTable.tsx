import { useStore } from '@nanostores/react'
import { ReceiptText } from 'lucide-react'
import { useState } from 'react'
import type { BillingLine } from '#lib/api/billing.ts'
import type { RefundState } from '#lib/api/transfers.ts'
import { minutesText } from '#lib/count.ts'
import { formatBalance, usdToMicroUsd } from '#lib/money/money.ts'
import { $contactNames } from '#shared/contacts.ts'
import { $formatNumber } from '#shared/numbers/number-format.ts'
import styles from './billing-history.module.css'
import { RefundDialog } from './RefundDialog.tsx'
import { fullTime, shortTime, signed } from './wording.ts'

const refundLabels: Readonly<Partial<Record<RefundState, string>>> = {
  pending: 'Refund pending',
  refunded: 'Refunded',
}

/** Kinds that have a receipt. */
const receiptKinds: ReadonlySet<BillingLine['kind']> = new Set(['payment', 'auto_topup', 'released', 'gift'])

function Row({ line, onRefund }: { readonly line: BillingLine; readonly onRefund: () => void }) {
  const { kind, description, at, amount, balance, call, payment } = line
  const time = new Date(at)
  const refundLabel = payment === null ? undefined : refundLabels[payment.refund]
  const receipt = receiptKinds.has(kind) ? payment?.receipt : null
  return (
    <tr className={refundLabel === undefined ? undefined : 'off'}>
      <td>
        <div className={styles['what']}>
          <b>{description}</b>
          {refundLabel !== undefined && <span className="state">{refundLabel}</span>}
          {payment?.refund === 'open' && (
            <button
              type="button"
              className={styles['refund']}
              aria-label={`Refund ${receipt ?? description}`}
              onClick={onRefund}
            >
              Refund
            </button>
          )}
        </div>
        {call !== null && <CallParty call={call} />}
      </td>
      <td className="num when">
        <time dateTime={at} title={fullTime(time)}>
          {shortTime(time)}
        </time>
      </td>
      <td className="r num cost">
        <b>{signed(amount)}</b>
      </td>
      {balance !== null && <td className="r num dur">{formatBalance(usdToMicroUsd(balance))}</td>}
      <td className="r again">
        {payment !== null && receipt != null && (
          <a className="tap" href={`/receipt?id=${payment.id}`} aria-label={`Receipt ${receipt}`}>
            <ReceiptText className="i" aria-hidden="true" />
          </a>
        )}
        {call !== null && !call.live && (
          <a
            className="tap"
            href={`/call-receipt?id=${call.id}`}
            aria-label={`Receipt for the call of ${shortTime(time)}, ${description}`}
          >
            <ReceiptText className="i" aria-hidden="true" />
          </a>
        )}
      </td>
    </tr>
  )
}

function CallParty({ call }: { readonly call: NonNullable<BillingLine['call']> }) {
  const { format } = useStore($formatNumber)
  const name = useStore($contactNames).get(call.to)
  return (
    <small className={`num soft ${styles['number']}`}>
      {name === undefined ? format(call.to, '') : <bdi>{name}</bdi>}
      {call.minutes !== null && `, ${minutesText(call.minutes)}`}
    </small>
  )
}

export interface BillingTableProps {
  readonly lines: readonly BillingLine[]
  readonly onRefunded: () => void
}

export function BillingTable({ lines, onRefunded }: BillingTableProps) {
  const [refunding, setRefunding] = useState<string | null>(null)
  const balanced = lines.every(({ balance }) => balance !== null)
  return (
    <>
      <div className={`log bills ${styles['log']}`}>
        <table>
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">When</th>
              <th scope="col" className="r">
                Credits
              </th>
              {balanced && (
                <th scope="col" className="r">
                  Balance
                </th>
              )}
              <th scope="col">
                <span className="sr">Receipt</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map(line => (
              <Row key={line.id} line={line} onRefund={() => setRefunding(line.payment?.id ?? null)} />
            ))}
          </tbody>
        </table>
      </div>
      {refunding !== null && (
        <RefundDialog
          paymentId={refunding}
          onClose={() => {
            setRefunding(null)
            onRefunded()
          }}
        />
      )}
    </>
  )
}
