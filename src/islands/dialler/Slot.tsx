import { useStore } from '@nanostores/react'
import { type ReactNode, useState } from 'react'
import { type CallStatus, callStatus, isLive } from '#lib/rules/call.ts'
import { $balance } from '#stores/balance.ts'
import { $call } from '#stores/call.ts'
import { $caution } from '#stores/caution.ts'
import { $notice } from '#stores/notice.ts'
import { $placing } from '#stores/place-call.ts'
import { $user } from '#stores/user.ts'
import styles from './dialler.module.css'
import { Note } from './Note.tsx'
import { slotMessage } from './slot-message.ts'
import { useAroundPhone } from './use-around-phone.ts'

const statusClass: Readonly<Record<CallStatus, string>> = {
  'Call Disconnected': '',
  Ringing: 'ring',
  'In Call': 'on',
}

export interface SlotProps {
  /** Stands at the end of a line that has no message. */
  readonly aside?: ReactNode
}

/** The line under the balance: the call's status and at most one message. It keeps its height. */
export function Slot({ aside }: SlotProps) {
  const call = useStore($call)
  const status = callStatus(call)
  const live = isLive(call)
  const message = slotMessage({
    notice: useStore($notice),
    restricted: useStore($user)?.can_call === false,
    placing: useStore($placing),
    staleBalance: useStore($balance).stale,
    caution: useStore($caution),
  })
  const [helping, setHelping] = useState(false)
  const around = useAroundPhone(helping || live)
  return (
    <>
      <div className={`slot ${styles['slot']}`}>
        <p className={`line-status ${statusClass[status]}`} role="status">
          <i />
          {status}
        </p>
        {(['status', 'alert'] as const).map(role => (
          <div key={role} className={styles['say']} role={role}>
            {live
              ? around && <around.CallNote role={role} />
              : message?.role === role && <Note message={message} onHelp={() => setHelping(true)} />}
          </div>
        ))}
        {aside}
      </div>
      {helping && around && <around.MicrophoneHelp onClose={() => setHelping(false)} />}
    </>
  )
}
