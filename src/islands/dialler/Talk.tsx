import { useStore } from '@nanostores/react'
import { isAnswered, type LiveCall } from '#lib/rules/call.ts'
import { $sample } from '#stores/call.ts'
import { $contactNames } from '#stores/contacts.ts'
import { isTestCall } from '#stores/is-test-call.ts'
import { CallCost } from './CallCost.tsx'
import contactStyles from './contacts.module.css'
import inCall from './in-call.module.css'
import { LineBars } from './LineBars.tsx'
import { perMinute } from './per-minute.ts'
import { Seal } from './Seal.tsx'
import { Timer } from './Timer.tsx'

/** Whom the call goes to, large: while it rings and while it lasts. */
export function Talk({ call }: { readonly call: LiveCall }) {
  const { callee } = call
  const name = useStore($contactNames).get(callee.e164)
  const answered = isAnswered(call)
  const arriving = (useStore($sample)?.packetsReceived ?? 0) > 0
  // Without the service the sound goes on; that is worth saying as long as it is true.
  const holds = call.state === 'reconnecting' && call.lost === 'signalling' && arriving
  const price = (isTestCall(call) ? 'Free test call' : perMinute(call.rateMicroUsd)) || '\u00a0'
  return (
    <div className="talk">
      <Seal state={answered ? 'IN CALL' : 'RINGING'} country={callee.country} waves={answered} />
      {name === undefined ? (
        <>
          <p className="who num">{callee.formatted}</p>
          <p className="soft">{callee.country.name}</p>
        </>
      ) : (
        <>
          <p className={`who ${contactStyles.who}`}>
            <bdi>{name}</bdi>
          </p>
          <p className="num soft">{callee.formatted}</p>
        </>
      )}
      {answered ? (
        <>
          <Timer sinceMs={call.answeredAtMs} className="timer" />
          {call.state === 'reconnecting' ? (
            <>
              <p className={`meta ${inCall.meta}`}>
                {holds && <span>The other phone is still connected</span>}
              </p>
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
        </>
      ) : (
        <p className={`soft small num ${inCall.before}`}>{price}</p>
      )}
    </div>
  )
}
