import { useStore } from '@nanostores/react'
import { LoaderCircle } from 'lucide-react'
import { type MouseEvent, useEffect, useState } from 'react'
import { googleStartPath } from '#lib/account/google-sign-in.ts'
import { $session } from '#session/session.ts'
import { $googleOffered } from '#session/site.ts'
import { FormNote } from '#ui/FormNote.tsx'
import { useLate } from '#ui/use-late.ts'
import { GoogleMark } from './GoogleMark.tsx'
import { $google, googleAddress, leaveForGoogle, openGoogle } from './google.ts'
import styles from './google-button.module.css'

const labels = {
  here: 'Continue with Google',
  leaving: 'Going to Google…',
  arriving: 'Signing you in…',
} as const

/**
 * Sign-in with Google, with its error below. A link, so it also works before hydration. Where Google is not
 * configured, only the error is rendered.
 */
export function GoogleButton() {
  const offered = useStore($googleOffered, { ssr: 'initial' })
  const { phase, problem } = useStore($google, { ssr: 'initial' })
  const session = useStore($session, { ssr: 'initial' })
  const [address, setAddress] = useState<string>(googleStartPath)
  const late = useLate(phase !== 'here')

  useEffect(openGoogle, [])
  // A referral script may set its value late, so the address is computed again on press.
  useEffect(() => setAddress(googleAddress()), [])
  const press = (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    if (!leaveForGoogle()) return event.preventDefault()
    event.currentTarget.href = googleAddress()
  }

  const waiting = phase === 'arriving' ? session.status !== 'signed_out' : phase === 'leaving' && late
  const label = waiting ? labels[phase] : labels.here
  return (
    <>
      {offered && (
        <a className="btn wide" href={address} onClick={press}>
          {waiting ? <LoaderCircle className={`i ${styles['ring']}`} /> : <GoogleMark />}
          {label}
        </a>
      )}
      <span className="sr" role="status">
        {waiting ? label : ''}
      </span>
      <FormNote message={problem} />
      {offered && <p className="or">or with e-mail</p>}
    </>
  )
}
