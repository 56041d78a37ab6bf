import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { localPath } from '#lib/i18n/path.ts'
import { $user } from '#session/user.ts'
import { askSource, endSourceQuestion, isSourceAsked } from '#shared/source-question.ts'
import { isLive } from '#voice/call.ts'
import { aroundTexts } from './around-texts.ts'
import { $call } from './call/call.ts'
import { isTestCall } from './call/is-test-call.ts'
import styles from './dialler.module.css'

/** After the first call, and not before: a quiet link to the one question that we have (SPEC-2.8). */
export function AskSource() {
  const user = useStore($user)
  const live = isLive(useStore($call))
  const [isDismissed, setDismissed] = useState(false)
  useEffect(() => {
    let isFirst = false
    let attempt = 0
    return $call.subscribe(call => {
      const caller = $user.get()
      if (isLive(call)) {
        // The server counts the call while it goes on.
        if (call.attempt !== attempt) {
          isFirst = caller?.has_made_call === false
          // Whoever calls again has passed it over.
          endSourceQuestion()
        }
        attempt = call.attempt
      } else if (call.state === 'ended' && call.talkedMs !== null && isFirst && caller && !isTestCall(call))
        askSource(caller.id)
    })
  }, [])
  if (live || isDismissed || user === null || !isSourceAsked(user.id)) return null
  const dismiss = () => {
    endSourceQuestion()
    setDismissed(true)
  }
  return (
    <p className={`small soft ${styles['asked']}`}>
      {aroundTexts.askSource({
        link: text => (
          <a key="link" href={localPath('/heard-about')}>
            {text}
          </a>
        ),
      })}{' '}
      <button type="button" className="btn plain" onClick={dismiss}>
        {aroundTexts.noThanks}
      </button>
    </p>
  )
}
