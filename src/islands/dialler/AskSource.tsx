import { useEffect, useState } from 'react'
import { $user } from '#session/user.ts'
import { isLive } from '#voice/call.ts'
import { $call } from './call/call.ts'
import { isTestCall } from './call/is-test-call.ts'
import styles from './dialler.module.css'

/** After the first call, and not before: a quiet link to the one question that we have (SPEC-2.8). */
export function AskSource() {
  const [isAsked, setAsked] = useState(false)
  useEffect(() => {
    let isFirst = false
    let attempt = 0
    return $call.subscribe(call => {
      if (isLive(call)) {
        // The server counts the call while it goes on.
        if (call.attempt !== attempt) isFirst = $user.get()?.has_made_call === false
        attempt = call.attempt
        setAsked(false)
      } else if (call.state === 'ended' && call.talkedMs !== null && isFirst && !isTestCall(call))
        setAsked(true)
    })
  }, [])
  if (!isAsked) return null
  return (
    <p className={`small soft ${styles['asked']}`}>
      One question, if you have a moment: <a href="/heard-about">how did you hear about us?</a>
    </p>
  )
}
