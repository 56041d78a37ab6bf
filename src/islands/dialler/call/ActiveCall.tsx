import { useStore } from '@nanostores/react'
import { formatRate } from '#lib/money/money.ts'
import { $contactNames } from '#shared/contacts.ts'
import { TextButton } from '#shared/real-time-text/TextButton.tsx'
import { isAnswered, type LiveCall } from '#voice/call.ts'
import { CaptionsButton } from '../captions/CaptionsButton.tsx'
import contactStyles from '../contacts/contacts.module.css'
import { CallCost } from './CallCost.tsx'
import { CallPostmark } from './CallPostmark.tsx'
import { Clocks, NightNote } from './Clocks.tsx'
import { $sample } from './call.ts'
import inCall from './in-call.module.css'
import { isTestCall } from './is-test-call.ts'
import { LineBars } from './LineBars.tsx'
import { Timer } from './Timer.tsx'
import { texts } from './texts.ts'
import { textTalk } from './typed-text.ts'

/** The callee in large type, from ringing to the end of the call. */
export function ActiveCall({ call }: { readonly call: LiveCall }) {
  const { callee } = call
  const name = useStore($contactNames).get(callee.e164)
  const answered = isAnswered(call)
  const arriving = (useStore($sample)?.packetsReceived ?? 0) > 0
  // The sound can go on without the signalling; say so only while it does.
  const holds = call.state === 'reconnecting' && call.lost === 'signalling' && arriving
  // Our own machine answers a test call: it never sleeps.
  const test = isTestCall(call)
  const price = (test ? texts.freeTest : perMinute(call.rateMicroUsd)) || '\u00a0'
  return (
    <div className="talk">
      <CallPostmark
        state={answered ? texts.sealTalking : texts.sealRinging}
        country={callee.country}
        waves={answered}
      />
      {name === undefined ? (
        <>
          <p className="who num" dir="ltr">
            {callee.formatted}
          </p>
          <p className={`soft ${inCall.country}`}>{callee.country.name}</p>
        </>
      ) : (
        <>
          <p className={`who ${contactStyles.who}`}>
            <bdi>{name}</bdi>
          </p>
          <p className="num soft" dir="ltr">
            {callee.formatted}
          </p>
        </>
      )}
      {!test && <Clocks callee={callee} />}
      {answered ? (
        <>
          <Timer sinceMs={call.answeredAtMs} className="timer" />
          {call.state === 'reconnecting' ? (
            <>
              <p className={`meta ${inCall.meta}`}>{holds && <span>{texts.holds}</span>}</p>
              <p className={`meta ${inCall.meta}`} />
            </>
          ) : (
            <>
              <p className={`meta ${inCall.meta}`}>
                <LineBars />
              </p>
              <p className={`meta num ${inCall.meta}`}>
                <CallCost call={call} />
              </p>
            </>
          )}
          <div className={inCall.ways}>
            <TextButton talk={textTalk} />
            <CaptionsButton />
          </div>
        </>
      ) : (
        <div className={`soft small num ${inCall.before}`}>
          <p>{price}</p>
          {!test && <NightNote callee={callee} />}
        </div>
      )}
    </div>
  )
}

/** The rate as text: `$0.020 per minute`, or that the call is free; empty while unknown. */
function perMinute(rateMicroUsd: number | null): string {
  if (rateMicroUsd === null) return ''
  return rateMicroUsd === 0 ? texts.yourFreeCall : texts.perMinute({ rate: formatRate(rateMicroUsd) })
}
