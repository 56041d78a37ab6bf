import type { CallReceipt } from '#lib/api/calls.ts'
import { formatLength } from '#lib/calls/duration.ts'
import { outcomeSentence } from '#lib/calls/outcome-texts.ts'
import { formatCharge, formatRate, usdToMicroUsd } from '#lib/money/money.ts'
import { countryOfIso } from '#lib/numbers/countries.ts'
import { creditLabel, netCostMicroUsd } from '#shared/calls/call-receipt.ts'
import { momentInUtc } from '#shared/moment.ts'
import { Head } from './Head.tsx'
import { PaidMark } from './PaidMark.tsx'
import styles from './receipt.module.css'

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
  const minutes = inMinutes(free ? Math.ceil(call.seconds / 60) : call.minutesCharged)
  const cost = netCostMicroUsd(call)
  const references = [...charges, ...(gift === null ? [] : [gift])].map(({ reference }) => reference)
  return (
    <article className="paper1">
      <Head vatNumber={null}>
        <PaidMark
          paidAt={new Date(call.endedAt ?? call.placedAt)}
          ringText="CALL ENDED"
          middle={free ? 'Free' : cost > 0 ? 'Paid' : '$0'}
        />
      </Head>
      <h1 className={styles['title']}>Call receipt</h1>
      <dl className="facts2">
        <Fact term="To" value={number} />
        <Fact term="Country" value={countryOfIso(call.isoCode)?.name ?? call.isoCode} />
        <Fact term="Called" value={moment(call.placedAt)} />
        <Fact term="Answered" value={call.answeredAt === null ? 'Not answered' : moment(call.answeredAt)} />
        <Fact
          term="Talked"
          value={answered ? `${formatLength(call.seconds)} (${seconds(call.seconds)})` : 'Nothing'}
        />
        <Fact term="Why it ended" value={outcomeSentence(call)} />
        <Fact term="Account" value={email} />
        <Fact term="Call reference" value={call.id} />
      </dl>
      <div className="tear" />
      <table className={styles['items']}>
        <thead>
          <tr>
            <th scope="col">Item</th>
            <th scope="col" className="r">
              Price
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>
              {minutes} at {rate} a minute
              {call.surcharge !== undefined && (
                <span className="small soft">
                  {`, ${formatRate(usdToMicroUsd(call.surcharge))} of that for showing your own number`}
                </span>
              )}
            </td>
            <td className="r num">{charge(free ? (gift?.worth ?? 0) : call.cost)}</td>
          </tr>
          {free && gift !== null && (
            <tr>
              <td>{call.purpose === 'test' ? 'Free test call, on us' : 'Free first call, on us'}</td>
              <td className="r num">−{charge(gift.worth)}</td>
            </tr>
          )}
          {credit !== null && (
            <tr>
              <td>{creditLabel(credit.reason)}</td>
              <td className="r num">−{charge(credit.amount)}</td>
            </tr>
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <td className="r num big">{free ? 'Free' : formatCharge(cost)}</td>
          </tr>
        </tfoot>
      </table>
      {references.length > 0 && <p className="small">Ledger: {inShort(references)}.</p>}
      <p className="small soft">
        {free
          ? `Your ${call.purpose === 'test' ? 'test' : 'first'} call is free: nothing was taken from your balance.${freeCallLeft ? ' It was too short to count, so you still have your free call.' : ''}`
          : answered
            ? 'Each minute counts in full once it starts, from the moment they answer. Paid from your credits, in US dollars.'
            : 'Calls that nobody answers cost nothing.'}
      </p>
    </article>
  )
}

function Fact({ term, value }: { readonly term: string; readonly value: string }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd className="num">{value}</dd>
    </div>
  )
}

function seconds(count: number): string {
  return count === 1 ? '1 second' : `${count} seconds`
}

function inMinutes(count: number): string {
  return count === 1 ? '1 minute' : `${count} minutes`
}

const maxReferences = 8

/** A long call has one ledger entry per minute: the first and the last are enough to find the others. */
function inShort(references: readonly string[]): string {
  if (references.length <= maxReferences) return references.join(', ')
  return `${references.length} entries from ${references[0]} to ${references.at(-1)}`
}
