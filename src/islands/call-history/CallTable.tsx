import { useStore } from '@nanostores/react'
import { Phone, ReceiptText } from 'lucide-react'
import type { CallRecord } from '#lib/api/calls.ts'
import { formatLength } from '#lib/calls/duration.ts'
import { outcomeLabel } from '#lib/calls/outcomes.ts'
import { clockTime } from '#lib/clock.ts'
import { localPath } from '#lib/i18n/path.ts'
import { formatCharge, formatRate, usdToMicroUsd } from '#lib/money/money.ts'
import { netCostMicroUsd } from '#shared/calls/call-receipt.ts'
import { $contactNames, $contacts } from '#shared/contacts.ts'
import { $formatNumber } from '#shared/numbers/number-format.ts'
import { Flag } from '#ui/Flag.tsx'
import styles from './call-history.module.css'
import { groupByDay } from './day-groups.ts'
import { SaveNumberButton } from './SaveNumberButton.tsx'
import { texts } from './texts.ts'
import { fullTime, shortTime } from './wording.ts'

function When({ call }: { readonly call: CallRecord }) {
  const placedAt = new Date(call.placedAt)
  return (
    <time dateTime={call.placedAt} title={fullTime(placedAt)}>
      {clockTime(placedAt)}
    </time>
  )
}

/** Charged minutes with the exact length or the reason for the cut-off; for unanswered calls, the outcome. */
function Length({ call }: { readonly call: CallRecord }) {
  const outcome = outcomeLabel(call)
  if (call.state !== 'ended') return outcome
  if (call.answeredAt === null) return <span className="miss">{outcome}</span>
  const plain = call.outcome === 'completed'
  return (
    <>
      {texts.minutes({ count: Math.ceil(call.seconds / 60) })}
      <small className={styles['under']}>
        {plain ? texts.talked({ length: formatLength(call.seconds) }) : outcome}
      </small>
    </>
  )
}

/**
 * The DTMF to play after the answer is passed as `postd`, the form in which phones write pauses. Commas become `p`,
 * because a comma would start another part of the text.
 */
function dialPath({ to, isoCode }: CallRecord, extension: string): string {
  const tail = extension === '' ? '' : `;postd=${extension.replaceAll(',', 'p')}`
  return localPath(`/call?country=${isoCode.toLowerCase()}#${new URLSearchParams({ number: to + tail })}`)
}

function Row({ call }: { readonly call: CallRecord }) {
  const { format } = useStore($formatNumber)
  const name = useStore($contactNames).get(call.to)
  const known = useStore($contacts)
  const contactsKnown = known.state === 'ready'
  const saved = contactsKnown ? known.value.find(({ phone_number }) => phone_number === call.to) : undefined
  const number = format(call.to, call.isoCode)
  const answered = call.answeredAt !== null
  const rate = formatRate(usdToMicroUsd(call.ratePerMinute))
  const free = call.free && answered
  const refunded = call.credited === undefined ? undefined : formatCharge(usdToMicroUsd(call.credited))
  const againId = `again-${call.id}`
  const who = name ?? number
  // The name alone would not tell apart several calls to the same person.
  const time = shortTime(new Date(call.placedAt), new Date())
  return (
    <tr>
      <td>
        <div className={`party ${styles['party']}`}>
          <Flag isoCode={call.isoCode} />
          <div>
            {name === undefined ? (
              <>
                <b className="num">
                  <bdi>{number}</bdi>
                </b>
                {contactsKnown && <SaveNumberButton call={call} number={number} nextFocusId={againId} />}
              </>
            ) : (
              <>
                <b>
                  <bdi>{name}</bdi>
                </b>
                <small className="num small">
                  <bdi>{number}</bdi>
                </small>
              </>
            )}
            <small className={`onlysm num ${styles['line']}`}>
              <When call={call} />
            </small>
            <small className={`onlysm num ${styles['line']}`}>{texts.rate({ rate })}</small>
          </div>
        </div>
      </td>
      <td className="when num">
        <When call={call} />
      </td>
      <td className={`r num dur ${styles['length']}`}>
        <Length call={call} />
      </td>
      <td className="r num rt soft">{rate}</td>
      <td className={`r num cost ${styles['cost']}`}>
        <b>{free ? texts.free : formatCharge(netCostMicroUsd(call))}</b>
        {call.purpose === 'test' ? (
          <small className={styles['under']}>{texts.testCall}</small>
        ) : (
          free && <small className={styles['under']}>{texts.freeCall}</small>
        )}
        {refunded !== undefined && (
          <small className={styles['under']}>{texts.refunded({ amount: refunded })}</small>
        )}
      </td>
      <td className="again">
        <div className={styles['actions']}>
          {call.state === 'ended' && (
            <a
              className="tap"
              href={localPath(`/call-receipt?id=${call.id}`)}
              aria-label={texts.receiptFor({ who, time })}
            >
              <ReceiptText className="i" aria-hidden="true" />
            </a>
          )}
          <a
            className="tap dial"
            id={againId}
            title={texts.callAgain}
            href={dialPath(call, saved?.extension ?? '')}
            aria-label={texts.callAgainAs({ who, time })}
          >
            <Phone className="i" aria-hidden="true" />
          </a>
        </div>
      </td>
    </tr>
  )
}

export function CallTable({ calls }: { readonly calls: readonly CallRecord[] }) {
  const days = groupByDay(calls, new Date())
  return (
    <div className={`log ${styles['log']}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.called}</th>
            <th scope="col">{texts.when}</th>
            <th scope="col" className="r">
              {texts.length}
            </th>
            <th scope="col" className={`r ${styles['rate']}`}>
              {texts.perMinute}
            </th>
            <th scope="col" className="r">
              {texts.cost}
            </th>
            <th scope="col">
              <span className="sr">{texts.actions}</span>
            </th>
          </tr>
        </thead>
        {days.map(({ day, heading, calls: ofDay }) => (
          <tbody key={day}>
            <tr className={styles['day']}>
              <th scope="rowgroup" colSpan={6}>
                {heading}
                <span className="sr">{texts.callsOfDay({ count: ofDay.length })}</span>
              </th>
            </tr>
            {ofDay.map(call => (
              <Row key={call.id} call={call} />
            ))}
          </tbody>
        ))}
      </table>
    </div>
  )
}
