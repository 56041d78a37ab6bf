import { useStore } from '@nanostores/react'
import { Phone, X } from 'lucide-react'
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { whyItEnded } from '#lib/calls/call-summary.ts'
import { formatLength } from '#lib/calls/duration.ts'
import { clockFormat } from '#lib/clock.ts'
import { dateFormat } from '#lib/i18n/date-format.ts'
import { localPath } from '#lib/i18n/path.ts'
import { formatBalance, formatCharge, formatRate, usdToMicroUsd } from '#lib/money/money.ts'
import { isLessThanStamp, stampBasis } from '#lib/money/postage.ts'
import { ClaimCall } from '#shared/call-claim/ClaimCall.tsx'
import { creditLabel, netCostMicroUsd } from '#shared/calls/call-receipt.ts'
import { $contactNames } from '#shared/contacts.ts'
import { EndedText } from '#shared/real-time-text/EndedText.tsx'
import { Flag } from '#ui/Flag.tsx'
import { mainActionId } from '../call/Actions.tsx'
import { $balance } from '../call/balance.ts'
import { $call } from '../call/call.ts'
import { partyOf } from '../call/call-title.ts'
import { $freeCall } from '../call/free-call.ts'
import { textTalk } from '../call/typed-text.ts'
import { $dial } from '../number/dial.ts'
import { ShareCallButton } from '../share-call/ShareCallButton.tsx'
import { TopUpAndCallAgain } from '../top-up/TopUpButton.tsx'
import { useWide } from '../use-wide.ts'
import styles from './call-ended.module.css'
import {
  $callEnded,
  callAgain,
  closeCallEnded,
  type EndedCall,
  giveWayToNumber,
  refreshCallEnded,
} from './call-ended.ts'
import { EndedMark } from './EndedMark.tsx'
import { SaveNumber } from './SaveNumber.tsx'
import { texts } from './texts.ts'

export interface CallEndedProps {
  /** `phone`: over the keypad on small screens; `beside`: next to the phone on wide ones. */
  readonly place: 'phone' | 'beside'
}

/** The receipt of the call that has just ended, and what was typed in it. Not modal: the user can go on without closing it. */
export function CallEnded({ place }: CallEndedProps) {
  const ended = useStore($callEnded)
  const call = useStore($call)
  const hasText = useStore(textTalk.$text).typed.some(({ text }) => text !== '')
  const wide = useWide()
  if (wide !== (place === 'beside') || (ended?.superseded && !wide)) return null
  // The text does not wait for the receipt, which may fail to load.
  const alone = hasText && call.state === 'ended' ? partyOf(call) : null
  if (ended === null && alone === null) return null
  return (
    <Card place={place} hasText={hasText}>
      {ended !== null ? (
        <Receipt key={ended.receipt.call.id} ended={ended} />
      ) : (
        alone !== null && (
          <div className={styles['in']}>
            <EndedText talk={textTalk} name={alone} />
          </div>
        )
      )}
    </Card>
  )
}

interface CardProps extends CallEndedProps {
  readonly hasText: boolean
  readonly children: ReactNode
}

/** Closed by its button, on small screens by reaching for what it covers, and, if nothing would be lost, by Escape. */
function Card({ place, hasText, children }: CardProps) {
  const element = useRef<HTMLElement>(null)

  // Whoever was typing as the call ended types on: that must not press Call.
  useLayoutEffect(() => {
    if (textTalk.$text.get().open) element.current?.focus({ preventScroll: true })
  }, [])

  const close = () => {
    const held = element.current?.contains(document.activeElement) === true
    closeCallEnded()
    if (held) document.getElementById(mainActionId)?.focus()
  }
  useEffect(() => {
    const closeOnEscape = (event: KeyboardEvent) => {
      // Escape closes whatever lies on top of the receipt first.
      if (
        event.key === 'Escape' &&
        !hasText &&
        !event.defaultPrevented &&
        document.querySelector('dialog[open]') === null
      )
        close()
    }
    document.addEventListener('keydown', closeOnEscape)
    return () => document.removeEventListener('keydown', closeOnEscape)
  })

  // On small screens the receipt covers the entry, so reaching for the entry closes it.
  useLayoutEffect(() => {
    const entry = place === 'phone' ? element.current?.parentElement : null
    if (entry == null) return
    entry.dataset['covered'] = ''
    const giveWay = (event: FocusEvent) => {
      if (event.target instanceof Node && element.current?.contains(event.target) === false) giveWayToNumber()
    }
    entry.addEventListener('focusin', giveWay)
    const forget = $dial.listen(giveWayToNumber)
    return () => {
      delete entry.dataset['covered']
      entry.removeEventListener('focusin', giveWay)
      forget()
    }
  }, [place])

  return (
    <section
      ref={element}
      tabIndex={-1}
      className={`${styles['ended']} ${styles[place]}`}
      aria-labelledby="call-ended"
      data-own-keys={hasText || undefined}
    >
      <header>
        <h2 id="call-ended">{texts.title}</h2>
        <button type="button" className="tap" aria-label={texts.close} onClick={close}>
          <X className="i" aria-hidden="true" />
        </button>
      </header>
      {children}
    </section>
  )
}

const clock = dateFormat({ ...clockFormat, second: '2-digit' })
const charge = (usd: number) => formatCharge(usdToMicroUsd(usd))

function Receipt({ ended }: { readonly ended: EndedCall }) {
  const { receipt, callee, endReason, numberType: line } = ended
  const { call, credit, gift } = receipt
  const balance = useStore($balance).microUsd
  const freeCall = useStore($freeCall)
  const name = useStore($contactNames).get(call.to)

  const ending = whyItEnded(call, endReason)
  const minutes = call.free ? Math.ceil(call.seconds / 60) : call.minutesCharged
  const costMicroUsd = call.free ? 0 : netCostMicroUsd(call)
  const lessThanStamp = isLessThanStamp(costMicroUsd)
  const rateMicroUsd = usdToMicroUsd(call.ratePerMinute)
  const ranOut = balance !== null && balance < rateMicroUsd && !freeCall
  return (
    <>
      <div className={styles['in']}>
        <div className={styles['letter']}>
          <div className={styles['party']}>
            <b className={name === undefined ? `num ${styles['who']}` : styles['who']}>
              <bdi>{name ?? callee.formatted}</bdi>
            </b>
            {name !== undefined && (
              <span className="num small">
                <bdi>{callee.formatted}</bdi>
              </span>
            )}
            <span className="soft small">
              {line === null
                ? texts.callee({ place: callee.country.name, ending })
                : texts.calleeOnLine({ place: callee.country.name, line: line.toLowerCase(), ending })}
            </span>
          </div>
          <div className="stamp">
            <div className="plate">
              <Flag isoCode={call.isoCode} />
            </div>
          </div>
          <EndedMark
            at={new Date(call.endedAt ?? call.placedAt)}
            minutes={texts.minutesShort({ minutes })}
            price={call.free ? texts.free : formatCharge(costMicroUsd)}
            lessThanStamp={lessThanStamp}
          />
        </div>
        <dl className={`receipt ${styles['lines']}`}>
          <Row term={texts.answeredAt}>{clock(new Date(call.answeredAt ?? call.placedAt))}</Row>
          <Row term={texts.talked}>
            {formatLength(call.seconds)}
            {call.seconds >= 60 && (
              <span className="soft">{texts.seconds({ seconds: String(call.seconds) })}</span>
            )}
          </Row>
          <Row term={call.free ? texts.minutes : texts.minutesCharged}>{minutes}</Row>
          <Row term={texts.rate}>{formatRate(rateMicroUsd)}</Row>
          {gift !== null && (
            <Row term={call.purpose === 'test' ? texts.freeTestCall : texts.freeCall}>
              <bdi dir="ltr">−{charge(gift.worth)}</bdi>
            </Row>
          )}
          {credit !== null && (
            <>
              <Row term={texts.charged}>{charge(call.cost)}</Row>
              <Row term={creditLabel(credit.reason)}>
                <bdi dir="ltr">−{charge(credit.amount)}</bdi>
              </Row>
            </>
          )}
          <div className="big">
            <dt>{texts.total}</dt>
            <dd className="num">{call.free ? texts.free : formatCharge(costMicroUsd)}</dd>
          </div>
          {balance !== null && <Row term={texts.balance}>{formatBalance(balance)}</Row>}
        </dl>
        <p className={`small ${styles['links']}`}>
          {call.purpose !== 'test' && (
            <ShareCallButton country={callee.country} minutes={minutes} lessThanStamp={lessThanStamp} />
          )}
          <a href={localPath(`/call-receipt?id=${call.id}`)}>{texts.print}</a>
        </p>
        <EndedText talk={textTalk} name={name ?? callee.formatted} />
        <ClaimCall receipt={receipt} onClaimed={() => void refreshCallEnded()} />
        {lessThanStamp && (
          <p className={styles['basis']}>
            <b>{texts.lessThanStamp}</b> {stampBasis()}
          </p>
        )}
      </div>
      {/* No second test call is offered: only the first is free. */}
      {call.purpose !== 'test' && (
        <footer>
          {!ranOut && <SaveNumber callee={callee} />}
          {ranOut ? (
            <TopUpAndCallAgain callee={callee} rateMicroUsd={rateMicroUsd} />
          ) : (
            <button type="button" className="btn call" onClick={() => void callAgain(callee)}>
              <Phone className="i" aria-hidden="true" />
              {texts.callAgain}
            </button>
          )}
        </footer>
      )}
    </>
  )
}

function Row({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd className="num">{children}</dd>
    </div>
  )
}
