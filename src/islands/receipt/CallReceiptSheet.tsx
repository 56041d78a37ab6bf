import type { CallReceipt } from '#lib/api/calls.ts'
import { formatLength } from '#lib/calls/duration.ts'
import { outcomeSentence } from '#lib/calls/outcomes.ts'
import { formatCharge, formatRate, usdToMicroUsd } from '#lib/money/money.ts'
import { countryOfIso } from '#lib/numbers/countries.ts'
import { creditLabel, netCostMicroUsd } from '#shared/calls/call-receipt.ts'
import { momentInUtc } from '#shared/moment.ts'
import { callReceipt } from './call-receipt-texts.ts'
import { Head } from './Head.tsx'
import { PaidMark } from './PaidMark.tsx'
import styles from './receipt.module.css'
import { texts } from './texts.ts'

const charge = (usd: number) => formatCharge(usdToMicroUsd(usd))
const moment = (iso: string) => momentInUtc(new Date(iso))

export interface CallReceiptSheetProps {
  readonly receipt: CallReceipt
  /** Formatted for display. */
  readonly number: string
}

/** A call's receipt: its length, its cost with the reason, and its ledger entries. */
export function CallReceiptSheet({ receipt, number }: CallReceiptSheetProps) {
  const { call, email, charges, gift, credit, freeCallLeft } = receipt
  const answered = call.answeredAt !== null
  const free = call.free && answered
  const rate = formatRate(usdToMicroUsd(call.ratePerMinute))
  const minutes = free ? Math.ceil(call.seconds / 60) : call.minutesCharged
  const cost = netCostMicroUsd(call)
  const references = [...charges, ...(gift === null ? [] : [gift])].map(({ reference }) => reference)
  return (
    <article className="paper1">
      <Head vatNumber={null}>
        <PaidMark
          paidAt={new Date(call.endedAt ?? call.placedAt)}
          ringText={callReceipt.callEnded}
          middle={free ? callReceipt.free : cost > 0 ? callReceipt.paid : callReceipt.unpaid}
        />
      </Head>
      <h1 className={styles['title']}>{callReceipt.title}</h1>
      <dl className="facts2">
        <Fact term={callReceipt.to} value={number} />
        <Fact term={callReceipt.country} value={countryOfIso(call.isoCode)?.name ?? call.isoCode} />
        <Fact term={callReceipt.called} value={moment(call.placedAt)} />
        <Fact
          term={callReceipt.answered}
          value={call.answeredAt === null ? callReceipt.notAnswered : moment(call.answeredAt)}
        />
        <Fact
          term={callReceipt.talked}
          value={
            answered
              ? callReceipt.talkedFor({ length: formatLength(call.seconds), seconds: call.seconds })
              : callReceipt.nothing
          }
        />
        <Fact term={callReceipt.whyItEnded} value={outcomeSentence(call)} />
        <Fact term={callReceipt.account} value={email} />
        <Fact term={callReceipt.reference} value={call.id} />
      </dl>
      <div className="tear" />
      <table className={styles['items']}>
        <thead>
          <tr>
            <th scope="col">{texts.item}</th>
            <th scope="col" className="r">
              {texts.price}
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>
              {callReceipt.minutesAt({ minutes, rate })}
              {call.surcharge !== undefined && (
                <span className="small soft">
                  {callReceipt.surcharge({ rate: formatRate(usdToMicroUsd(call.surcharge)) })}
                </span>
              )}
            </td>
            <td className="r num">{charge(free ? (gift?.worth ?? 0) : call.cost)}</td>
          </tr>
          {free && gift !== null && (
            <tr>
              <td>{call.purpose === 'test' ? callReceipt.freeTestCall : callReceipt.freeFirstCall}</td>
              <td className="r num">
                <bdi dir="ltr">−{charge(gift.worth)}</bdi>
              </td>
            </tr>
          )}
          {credit !== null && (
            <tr>
              <td>{creditLabel(credit.reason)}</td>
              <td className="r num">
                <bdi dir="ltr">−{charge(credit.amount)}</bdi>
              </td>
            </tr>
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{texts.total}</th>
            <td className="r num big">{free ? callReceipt.free : formatCharge(cost)}</td>
          </tr>
        </tfoot>
      </table>
      {references.length > 0 && <p className="small">{ledgerText(references)}</p>}
      <p className="small soft">
        {free
          ? call.purpose === 'test'
            ? callReceipt.testIsFree
            : callReceipt.firstIsFree
          : answered
            ? callReceipt.minutesCount
            : callReceipt.unansweredIsFree}
        {free && freeCallLeft && ` ${callReceipt.tooShort}`}
      </p>
    </article>
  )
}

function Fact({ term, value }: { readonly term: string; readonly value: string }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd className="num">
        <bdi>{value}</bdi>
      </dd>
    </div>
  )
}

const maxReferences = 8

/** A long call has one ledger entry per minute: the first and the last are enough to find the others. */
function ledgerText(references: readonly string[]): string {
  const [first = ''] = references
  if (references.length <= maxReferences) return callReceipt.ledger({ references: references.join(', ') })
  return callReceipt.ledgerRange({ count: references.length, first, last: references.at(-1) ?? first })
}
