import { type ReactNode, useEffect, useState } from 'react'
import { localPath } from '#lib/i18n/path.ts'
import { usePendingCall } from '#shared/sign-up/AddressedEnvelope.tsx'
import { type Confirmation, knowConfirmation } from './confirmed.ts'
import styles from './email-verified.module.css'
import { texts } from './email-verified-texts.ts'
import { readyThen } from './ready.ts'
import { EnvelopeMark } from './VerificationMarks.tsx'

/** Says that the address is verified only if it is. @param props.stamp drawn above it then */
export function EmailVerified({ stamp }: { readonly stamp?: ReactNode }) {
  const [confirmation, setConfirmation] = useState<Confirmation>({ kind: 'unknown' })
  useEffect(() => void knowConfirmation().then(setConfirmation), [])
  return (
    <>
      {/* Hidden instead of left out: drawn later it would be text as HTML, which pages refuse. */}
      <div hidden={confirmation.kind !== 'verified'}>{stamp}</div>
      <Content confirmation={confirmation} />
    </>
  )
}

function Content({ confirmation }: { readonly confirmation: Confirmation }) {
  switch (confirmation.kind) {
    case 'verified':
      return <Verified ready={readyThen(confirmation)} />
    case 'unverified':
      return (
        <NotYet what={texts.unverified}>
          <a className="btn primary big" href={localPath('/check-email')}>
            {texts.checkEmail}
          </a>
        </NotYet>
      )
    case 'unknown':
      return (
        <NotYet what={texts.unknown}>
          <a className="btn primary big" href={localPath('/login')}>
            {texts.login}
          </a>
        </NotYet>
      )
  }
}

function NotYet({ what, children }: { readonly what: string; readonly children: ReactNode }) {
  return (
    <>
      <EnvelopeMark />
      <h1>{texts.openLink}</h1>
      <p>{what}</p>
      <div className="go">{children}</div>
    </>
  )
}

function Verified({ ready }: { readonly ready: 'free call' | 'account' }) {
  const call = usePendingCall()
  const number = call?.formatted ?? null
  const callText = ready === 'account' ? texts.makeCall : texts.makeFreeCall
  return (
    <>
      <h1>{texts.verified}</h1>
      <p className={ready === 'account' ? styles['used'] : undefined} role="status">
        {texts.ready({ ready })}
      </p>
      <div className="go">
        <a className="btn call big" href={localPath('/login')} data-when="out">
          <Phone />
          {number === null ? texts.loginAndCall : texts.loginAndCallNumber({ number })}
        </a>
        <a className="btn call big" href={localPath('/call')} data-when="in">
          <Phone />
          {number === null ? callText : texts.call({ number })}
        </a>
      </div>
    </>
  )
}

/** Lucide's icon, copied: the page loads nothing else of it. */
function Phone() {
  return (
    <svg className="i" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M13.832 16.568a1 1 0 0 0 1.213-.303l.355-.465A2 2 0 0 1 17 15h3a2 2 0 0 1 2 2v3a2 2 0 0 1-2 2A18 18 0 0 1 2 4a2 2 0 0 1 2-2h3a2 2 0 0 1 2 2v3a2 2 0 0 1-.8 1.6l-.468.351a1 1 0 0 0-.292 1.233 14 14 0 0 0 6.392 6.384" />
    </svg>
  )
}
