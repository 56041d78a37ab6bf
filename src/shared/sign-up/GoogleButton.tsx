import { useStore } from '@nanostores/react'
import { LoaderCircle } from 'lucide-react'
import { type MouseEvent, useEffect, useState } from 'react'
import { $session } from '#session/session.ts'
import { $googleOffered } from '#session/site.ts'
import { FormNote } from '#ui/FormNote.tsx'
import { useLate } from '#ui/use-late.ts'
import { $google, googleAddress, leaveForGoogle, openGoogle } from './google.ts'
import styles from './google-button.module.css'
import { googleStart } from './google-start.ts'
import { texts } from './google-texts.ts'

/** A link, so it also works before hydration. Where Google is not configured, only the error is rendered. */
export function GoogleButton() {
  const offered = useStore($googleOffered, { ssr: 'initial' })
  const { phase, problem } = useStore($google, { ssr: 'initial' })
  const session = useStore($session, { ssr: 'initial' })
  const [address, setAddress] = useState(googleStart)
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
  const label = texts[waiting ? phase : 'here']
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
      {offered && <p className="or">{texts.orEmail}</p>}
    </>
  )
}

/** Google's logo in its own colours, as its branding guidelines require. */
function GoogleMark() {
  return (
    <svg className={styles['mark']} viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
      <path
        fill="#4285F4"
        d="M23 12.3c0-.8-.1-1.6-.2-2.3H12v4.5h6.2a5.3 5.3 0 0 1-2.3 3.5v2.9h3.7c2.2-2 3.4-5 3.4-8.6Z"
      />
      <path
        fill="#34A853"
        d="M12 23.5c3.1 0 5.7-1 7.6-2.8L15.9 18c-1 .7-2.4 1.1-3.9 1.1-3 0-5.5-2-6.4-4.7H1.8v3A11.5 11.5 0 0 0 12 23.5Z"
      />
      <path fill="#FBBC05" d="M5.6 14.3a6.9 6.9 0 0 1 0-4.5V6.9H1.8a11.5 11.5 0 0 0 0 10.3Z" />
      <path
        fill="#EA4335"
        d="M12 5.1c1.7 0 3.2.6 4.4 1.7l3.3-3.3A11 11 0 0 0 12 .5 11.5 11.5 0 0 0 1.8 6.9l3.8 2.9C6.5 7.1 9 5.1 12 5.1Z"
      />
    </svg>
  )
}
