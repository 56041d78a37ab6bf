import { useStore } from '@nanostores/react'
import { CircleAlert, Grip, Info, MicOff, RefreshCw, TriangleAlert, X } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { type CallStatus, callStatus } from '#lib/rules/call.ts'
import { texts } from '#lib/rules/error-texts.ts'
import { $balance, refreshBalance } from '#stores/balance.ts'
import { $call, $digits, callLine } from '#stores/call.ts'
import { $caution } from '#stores/caution.ts'
import { $lowCredits } from '#stores/low-credits.ts'
import { $notice, dismissNotice } from '#stores/notice.ts'
import { $user } from '#stores/user.ts'
import { keypadButtonId } from './Actions.tsx'
import styles from './dialler.module.css'
import { type SlotMessage, slotMessage } from './slot-message.ts'
import { useAroundPhone } from './use-around-phone.ts'

const statusClass: Readonly<Record<CallStatus, string>> = {
  'Call Disconnected': '',
  Ringing: 'ring',
  'In Call': 'on',
}

const icons = {
  alert: CircleAlert,
  warning: TriangleAlert,
  info: Info,
  reconnecting: RefreshCw,
  digits: Grip,
  muted: MicOff,
} as const

/** The line under the balance: the call's status and at most one message. It keeps its height. */
export function Slot() {
  const call = useStore($call)
  const status = callStatus(call)
  const message = slotMessage({
    call,
    digits: useStore($digits),
    notice: useStore($notice),
    restricted: useStore($user)?.can_call === false,
    staleBalance: useStore($balance).stale,
    lowCredits: useStore($lowCredits),
    caution: useStore($caution),
  })
  const [helping, setHelping] = useState(false)
  const around = useAroundPhone(helping)
  return (
    <>
      <div className={`slot ${styles['slot']}`}>
        <p className={`line-status ${statusClass[status]}`} role="status">
          <i />
          {status}
        </p>
        {(['status', 'alert'] as const).map(role => (
          <div key={role} className={styles['say']} role={role}>
            {message?.role === role && <Note message={message} onHelp={() => setHelping(true)} />}
          </div>
        ))}
      </div>
      {helping && around && <around.MicrophoneHelp onClose={() => setHelping(false)} />}
    </>
  )
}

interface NoteProps {
  readonly message: SlotMessage
  readonly onHelp: () => void
}

function Note({ message, onHelp }: NoteProps) {
  const Icon = icons[message.icon]
  return (
    <div className={`note ${message.tone === 'info' ? '' : message.tone}`}>
      <Icon className="i" aria-hidden="true" />
      <span>
        <Words text={message.text} />
      </span>
      <Action action={message.action} phone={message.phone} onHelp={onHelp} />
    </div>
  )
}

/** The specification's own words; those that name support lead there. */
function Words({ text }: { readonly text: string }) {
  const support = 'Contact support'
  const [before, after] = text.split(support)
  if (after === undefined) return text
  return (
    <>
      {before}
      <a href="/support">{support}</a>
      {after}
    </>
  )
}

interface ActionProps extends Pick<NoteProps, 'onHelp'> {
  readonly action: SlotMessage['action']
  readonly phone: string | undefined
}

function Action({ action, phone, onHelp }: ActionProps) {
  switch (action) {
    case 'dismiss':
      return (
        <button type="button" aria-label="Dismiss" onClick={dismissNotice}>
          <X className="i" aria-hidden="true" />
        </button>
      )
    case 'cancel_digits':
      return <CancelDigits />
    case 'retry_balance':
      return (
        <button type="button" onClick={() => void refreshBalance()}>
          {texts.dialler.credits_retry}
        </button>
      )
    case 'microphone_help':
      return (
        <button type="button" onClick={onHelp}>
          How
        </button>
      )
    case 'phone':
      return (
        <a className={styles['phone']} href={`tel:${phone}`}>
          Phone {phone}
        </a>
      )
    case null:
      return null
    default:
      return action satisfies never
  }
}

/** It goes when the digits have gone, cancelled or not: the focus must not go with it. */
function CancelDigits() {
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const element = button.current
    return () => {
      if (document.activeElement === element) document.getElementById(keypadButtonId)?.focus()
    }
  }, [])
  return (
    <button ref={button} type="button" onClick={callLine.cancelDigits}>
      Cancel
    </button>
  )
}
