import { Check } from 'lucide-react'
import { useState } from 'react'
import type { Profile } from '#lib/api/profile.ts'
import { ResendButton } from '#shared/sign-up/ResendButton.tsx'
import { useBusy } from '#ui/use-busy.ts'
import styles from './profile.module.css'
import { giveUpEmailChange } from './profile.ts'
import { texts } from './texts.ts'

/** Id for the address field's `aria-describedby`. */
export const emailStateId = 'profile-email-state'

export interface EmailStateProps {
  readonly profile: Profile
  /** True while another address is being typed. */
  readonly changing: boolean
  /** The change of address was cancelled, and this element is gone. */
  readonly onCancelled: () => void
}

export function EmailState({ profile, changing, onCancelled }: EmailStateProps) {
  if (changing) {
    return (
      <p id={emailStateId} className="hint">
        {texts.linkWillBeSent({ email: profile.email })}
      </p>
    )
  }
  return (
    <>
      {profile.emailVerified ? (
        <p id={emailStateId} className="hint ok">
          <Check className="i" aria-hidden="true" />
          {texts.verified}
        </p>
      ) : (
        <Unconfirmed email={profile.email} />
      )}
      {profile.pendingEmail !== null && <Pending email={profile.pendingEmail} onCancelled={onCancelled} />}
    </>
  )
}

/** No calls are possible before the address is confirmed. */
function Unconfirmed({ email }: { readonly email: string }) {
  const [message, setMessage] = useState('')
  return (
    <div className={styles['waiting']}>
      <p id={emailStateId}>{texts.confirmEmail({ b: text => <b key="b">{text}</b> })}</p>
      <ResendButton email={email} label={texts.sendAgain} onOutcome={({ message }) => setMessage(message)} />
      <p role="status">{message}</p>
    </div>
  )
}

/** A new address whose link has not been opened yet. */
function Pending({ email, onCancelled }: { readonly email: string; readonly onCancelled: () => void }) {
  const [fault, setFault] = useState('')
  const { slow, run } = useBusy()
  const giveUp = async (): Promise<'done'> => {
    const result = await giveUpEmailChange()
    setFault(result.ok ? '' : result.message)
    if (result.ok) onCancelled()
    return 'done'
  }
  return (
    <div className={styles['waiting']}>
      <p>{texts.pendingEmail({ email, b: text => <b key="b">{text}</b> })}</p>
      <button type="button" onClick={() => run(giveUp)}>
        {slow ? texts.cancelling : texts.cancelChange}
      </button>
      <p role="alert">{fault}</p>
    </div>
  )
}
