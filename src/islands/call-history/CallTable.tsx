import { useStore } from '@nanostores/react'
import type { CallRecord } from '#lib/api/calls.ts'
import { outcomeText } from '#lib/rules/call-outcome.ts'
import { countryOfIso } from '#lib/rules/countries.ts'
import { formatLength } from '#lib/rules/duration.ts'
import { formatCharge, formatRate, usdToMicroUsd } from '#lib/rules/money.ts'
import { $contactNames } from '#stores/contacts.ts'
import { $formatNumber } from '#stores/number-format.ts'
import { Flag } from '../flag/Flag.tsx'
import styles from './call-history.module.css'
import { fullTime, shortTime } from './wording.ts'

function When({ call }: { readonly call: CallRecord }) {
  const placedAt = new Date(call.placedAt)
  return (
    <time dateTime={call.placedAt} title={fullTime(placedAt)}>
      {shortTime(placedAt, new Date())}
    </time>
  )
}

/** What the length was charged as; an answered call may be free, or cut off before it counted. */
function chargedText(call: CallRecord): string {
  if (call.state !== 'ended') return ''
  return call.minutesCharged === 0 ? 'not charged' : `charged ${call.minutesCharged} min`
}

function Row({ call }: { readonly call: CallRecord }) {
  const { format } = useStore($formatNumber)
  const name = useStore($contactNames).get(call.to)
  const number = format(call.to, call.isoCode)
  const answered = call.answeredAt !== null
  const outcome = outcomeText(call)
  const outcomeLook = answered || call.state !== 'ended' ? '' : styles.missed
  const rate = formatRate(usdToMicroUsd(call.ratePerMinute))
  return (
    <tr>
      <td>
        <div className="party">
          <Flag isoCode={call.isoCode} />
          <div>
            {name === undefined ? (
              <>
                <b className="num">{number}</b>
                <small className="small">{countryOfIso(call.isoCode)?.name ?? call.isoCode}</small>
              </>
            ) : (
              <>
                <b>
                  <bdi>{name}</bdi>
                </b>
                <small className="num small">{number}</small>
              </>
            )}
            <small className={`onlysm ${styles.line}`}>
              <When call={call} />
            </small>
            <small className={`onlysm ${styles.line} ${outcomeLook}`}>{outcome}</small>
          </div>
        </div>
      </td>
      <td className="when num">
        <When call={call} />
      </td>
      <td className={`r num dur ${styles.length}`}>
        {answered ? formatLength(call.seconds) : '–'}
        {answered && <small className={styles.under}>{chargedText(call)}</small>}
        <small className={`onlysm ${styles.under}`}>{rate} a minute</small>
      </td>
      <td className="r num rt soft">{rate}</td>
      <td className={`r num cost ${styles.cost}`}>
        <b>{formatCharge(usdToMicroUsd(call.cost))}</b>
        {call.free && answered && <small className={styles.under}>First call, free</small>}
      </td>
      <td className={`${styles.ended} ${outcomeLook}`}>{outcome}</td>
    </tr>
  )
}

export function CallTable({ calls }: { readonly calls: readonly CallRecord[] }) {
  return (
    <div className={`log ${styles.log}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">To</th>
            <th scope="col">When</th>
            <th scope="col" className="r">
              Length
            </th>
            <th scope="col" className="r">
              Per minute
            </th>
            <th scope="col" className="r">
              Cost
            </th>
            <th scope="col">How it ended</th>
          </tr>
        </thead>
        <tbody>
          {calls.map(call => (
            <Row key={call.id} call={call} />
          ))}
        </tbody>
      </table>
    </div>
  )
}
