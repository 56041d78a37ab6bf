import { useStore } from '@nanostores/react'
import { ReceiptText } from 'lucide-react'
import { useState } from 'react'
import type { BillingLine } from '#lib/api/billing.ts'
import type { RefundState } from '#lib/api/transfers.ts'
import { localPath } from '#lib/i18n/path.ts'
import { formatBalance, usdToMicroUsd } from '#lib/money/money.ts'
import { $contactNames } from '#shared/contacts.ts'
import { $formatNumber } from '#shared/numbers/number-format.ts'
import styles from './billing-history.module.css'
import { RefundDialog } from './RefundDialog.tsx'
import { texts } from './texts.ts'
import { fullTime, shortTime, signed } from './wording.ts'

function refundLabelOf(state: RefundState): string | undefined {
  return state === 'pending' || state === 'refunded' ? texts[state] : undefined
}

/** Kinds that have a receipt. */
const receiptKinds: ReadonlySet<BillingLine['kind']> = new Set(['payment', 'auto_topup', 'released', 'gift'])

function Row({ line, onRefund }: { readonly line: BillingLine; readonly onRefund: () => void }) {
  const { kind, description, at, amount, balance, call, payment } = line
  const time = new Date(at)
  const refundLabel = payment === null ? undefined : refundLabelOf(payment.refund)
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
              aria-label={texts.refundOf({ what: receipt ?? description })}
              onClick={onRefund}
            >
              {texts.refund}
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
          <a
            className="tap"
            href={localPath(`/receipt?id=${payment.id}`)}
            aria-label={texts.receiptOf({ receipt })}
          >
            <ReceiptText className="i" aria-hidden="true" />
          </a>
        )}
        {call !== null && !call.live && (
          <a
            className="tap"
            href={localPath(`/call-receipt?id=${call.id}`)}
            aria-label={texts.callReceipt({ time: shortTime(time), description })}
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
  const party = (text: string) => (
    <bdi key="party" dir={name === undefined ? 'ltr' : undefined}>
      {text}
    </bdi>
  )
  return (
    <small className={`num soft ${styles['number']}`}>
      {call.minutes === null
        ? party(name ?? format(call.to, ''))
        : texts.called({ callee: name ?? format(call.to, ''), minutes: call.minutes, party })}
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
              <th scope="col">{texts.what}</th>
              <th scope="col">{texts.when}</th>
              <th scope="col" className="r">
                {texts.credits}
              </th>
              {balanced && (
                <th scope="col" className="r">
                  {texts.balance}
                </th>
              )}
              <th scope="col">
                <span className="sr">{texts.receipt}</span>
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
