import { useStore } from '@nanostores/react'
import { useEffect, useRef } from 'react'
import { localPath } from '#lib/i18n/path.ts'
import { goInstead } from '#session/navigation.ts'
import { rememberReturnPath } from '#session/return-path.ts'
import { $session, start } from '#session/session.ts'
import { AddressedEnvelope, PendingCallText, usePendingCall } from '#shared/sign-up/AddressedEnvelope.tsx'
import { SignUpForm } from '#shared/sign-up/SignUpForm.tsx'
import { goOnSignedIn } from '../sign-in/go-on.ts'
import { texts } from './register-texts.ts'
import { $sentMail, recallSentMail } from './registration.ts'

/** A user who comes back before confirming wants to check the e-mail; later, to continue. */
function leave(): void {
  recallSentMail()
  if ($sentMail.get() === null) goOnSignedIn()
  else goInstead(localPath('/check-email'))
}

/** @param props.referralValue name of the global in which the referral script stores its value */
export function RegisterForm({ referralValue }: { readonly referralValue: string }) {
  const session = useStore($session, { ssr: 'initial' })
  const call = usePendingCall()
  /** Registering also signs in, which must not trigger the redirect for signed-in users. */
  const registering = useRef(false)

  useEffect(() => {
    rememberReturnPath(window.location.href)
    void start()
  }, [])
  useEffect(() => {
    if (session.status === 'signed_in' && !registering.current) leave()
  }, [session.status])

  return (
    <SignUpForm
      referralValue={referralValue}
      onRegistering={now => {
        registering.current = now
      }}
    >
      {call !== null && <AddressedEnvelope call={call} />}
      <h1>{texts.heading}</h1>
      {call === null ? <p className="soft">{texts.text}</p> : <PendingCallText call={call} />}
    </SignUpForm>
  )
}
