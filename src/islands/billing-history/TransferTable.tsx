import { useStore } from '@nanostores/react'
import { ReceiptText } from 'lucide-react'
import { useState } from 'react'
import type { RefundState, TransferRecord } from '#lib/api/transfers.ts'
import { formatBalance, usdToMicroUsd } from '#lib/money/money.ts'
import { $formatNumber } from '#shared/numbers/number-format.ts'
import styles from './billing-history.module.css'
import { RefundDialog } from './RefundDialog.tsx'
import { fullTime, shortTime, signed } from './wording.ts'

const refundLabels: Readonly<Partial<Record<RefundState, string>>> = {
  pending: 'Refund pending',
  refunded: 'Refunded',
}

/** Kinds that have a receipt. */
const receiptKinds: ReadonlySet<TransferRecord['kind']> = new Set(['payment', 'auto_topup', 'released'])

function Row({ transfer, onRefund }: { readonly transfer: TransferRecord; readonly onRefund: () => void }) {
  const { kind, words, at, amount, balance, call, payment } = transfer
  const { format } = useStore($formatNumber)
  const time = new Date(at)
  const refundLabel = payment === null ? undefined : refundLabels[payment.refund]
  const receipt = receiptKinds.has(kind) ? payment?.receipt : null
  return (
    <tr className={refundLabel === undefined ? undefined : 'off'}>
      <td>
        <div className={styles['what']}>
          <b>{words}</b>
          {refundLabel !== undefined && <span className="state">{refundLabel}</span>}
          {payment?.refund === 'open' && (
            <button
              type="button"
              className={styles['refund']}
              aria-label={`Refund ${receipt ?? words}`}
              onClick={onRefund}
            >
              Refund
            </button>
          )}
        </div>
        {call !== null && <small className={`num soft ${styles['number']}`}>{format(call.to, '')}</small>}
      </td>
      <td className="num when">
        <time dateTime={at} title={fullTime(time)}>
          {shortTime(time)}
        </time>
      </td>
      <td className="r num cost">
        <b>{signed(amount)}</b>
      </td>
      <td className="r num dur">{formatBalance(usdToMicroUsd(balance))}</td>
      <td className="r again">
        {payment !== null && receipt != null && (
          <a className="tap" href={`/receipt?id=${payment.id}`} aria-label={`Receipt ${receipt}`}>
            <ReceiptText className="i" aria-hidden="true" />
          </a>
        )}
      </td>
    </tr>
  )
}

export interface TransferTableProps {
  readonly transfers: readonly TransferRecord[]
  readonly onRefunded: () => void
}

export function TransferTable({ transfers, onRefunded }: TransferTableProps) {
  const [refunding, setRefunding] = useState<string | null>(null)
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
              <th scope="col" className="r">
                Balance
              </th>
              <th scope="col">
                <span className="sr">Receipt</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {transfers.map(transfer => (
              <Row
                key={transfer.id}
                transfer={transfer}
                onRefund={() => setRefunding(transfer.payment?.id ?? null)}
              />
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
