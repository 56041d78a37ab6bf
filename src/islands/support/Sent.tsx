import { useEffect, useRef } from 'react'
import { localPath } from '#lib/i18n/path.ts'
import styles from './support-form.module.css'
import { support } from './texts.ts'

export interface SentMessage {
  readonly email: string
  readonly reference: string
}

/** Confirms the message: where the answer goes, and its reference. */
export function Sent({ message: { email, reference } }: { readonly message: SentMessage }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // The form, which had the focus, is gone; the heading explains why.
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="lost">
      <svg className="postmark mark" viewBox="0 0 100 100" aria-hidden="true">
        <circle cx="50" cy="50" r="47" />
        <circle cx="50" cy="50" r="38" />
        <path d="M28 38h44v28H28zM28 38l22 16 22-16" strokeWidth="3.5" strokeLinejoin="round" />
      </svg>
      <h1 ref={heading} tabIndex={-1} className={styles.heading}>
        {support.sent}
      </h1>
      <p>
        {support.reply({
          email,
          reference,
          address: text => (
            <b key="address" className={styles.address}>
              {text}
            </b>
          ),
          number: text => (
            <b key="number" className="num">
              {text}
            </b>
          ),
        })}
      </p>
      <div className="go">
        <a className="btn" href={localPath('/call')}>
          {support.back}
        </a>
      </div>
    </div>
  )
}
