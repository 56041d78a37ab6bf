import { useStore } from '@nanostores/react'
import { type ReactNode, useState } from 'react'
import { $user } from '#session/user.ts'
import { type CallStatus, callStatus, isLive } from '#voice/call.ts'
import { $call } from './call/call.ts'
import { $callObstacle } from './call/call-obstacle.ts'
import { $placing } from './call/place-call.ts'
import styles from './dialler.module.css'
import { Note } from './Note.tsx'
import { $notice } from './notice.ts'
import { $caution } from './number/caution.ts'
import { $rejection } from './number/dial.ts'
import { statusMessage } from './status-message.ts'
import { statusTexts } from './texts.ts'
import { useLazyDialler } from './use-lazy-dialler.ts'

const statusClass: Readonly<Record<CallStatus, string>> = {
  disconnected: '',
  ringing: 'ring',
  inCall: 'on',
}

/** The line under the balance: the call's status and one message, or `aside` at its end. Its height is fixed. */
export function StatusLine({ aside }: { readonly aside?: ReactNode }) {
  const call = useStore($call)
  const status = callStatus(call)
  const live = isLive(call)
  const user = useStore($user)
  const rejection = useStore($rejection)
  const message = statusMessage({
    notice: useStore($notice),
    emergency: rejection?.kind === 'emergency' ? rejection.text : null,
    restricted: user?.can_call === false,
    unverified: user?.email_verified === false,
    placing: useStore($placing),
    obstacle: useStore($callObstacle),
    caution: useStore($caution),
  })
  const [helping, setHelping] = useState(false)
  const lazy = useLazyDialler(helping || live)
  return (
    <>
      <div className={`slot ${styles['slot']}`}>
        <p className={`line-status ${statusClass[status]}`} role="status">
          <i />
          {statusTexts[status]}
        </p>
        {(['status', 'alert'] as const).map(role => (
          <div key={role} className={styles['say']} role={role}>
            {live
              ? lazy && <lazy.CallNote role={role} />
              : message?.role === role && <Note message={message} onHelp={() => setHelping(true)} />}
          </div>
        ))}
        {aside}
      </div>
      {helping && lazy && <lazy.MicrophoneHelp onClose={() => setHelping(false)} />}
    </>
  )
}
