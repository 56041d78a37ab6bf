import { useStore } from '@nanostores/react'
import { isAnswered, type LiveCall } from '#lib/rules/call.ts'
import { $contactNames } from '#stores/contacts.ts'
import contactStyles from './contacts.module.css'
import styles from './dialler.module.css'
import { perMinute } from './per-minute.ts'
import { Seal } from './Seal.tsx'
import { Timer } from './Timer.tsx'

/** Whom the call goes to, large: while it rings and while it lasts. */
export function Talk({ call }: { readonly call: LiveCall }) {
  const { callee } = call
  const name = useStore($contactNames).get(callee.e164)
  const answered = isAnswered(call)
  const price = perMinute(call.rateMicroUsd) || '\u00a0'
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
          <p className="meta num">{price}</p>
        </>
      ) : (
        <p className={`soft small num ${styles['before']}`}>{price}</p>
      )}
    </div>
  )
}
