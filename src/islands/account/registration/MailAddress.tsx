import type { ReactNode } from 'react'
import styles from './mail-address.module.css'

export interface MailAddressProps {
  readonly email: string
  /** Punctuation after the address that must not start a line. */
  readonly end?: string
}

/** Stays on one line if it fits. Otherwise it breaks before the @ first, then before a dot, else only if it must. */
export function MailAddress({ email, end = '' }: MailAddressProps) {
  const at = Math.max(0, email.lastIndexOf('@'))
  return (
    <span className={styles['address']} dir="ltr">
      <b>
        <BreakableAtDots text={email.slice(0, at)} />
      </b>
      <span>
        <b>
          <BreakableAtDots text={email.slice(at)} />
        </b>
        {end}
      </span>
    </span>
  )
}

function BreakableAtDots({ text }: { readonly text: string }) {
  const [first, ...rest] = text.split(/(?=\.)/)
  return rest.reduce<ReactNode>(
    (before, part) => (
      <>
        {before}
        <wbr />
        {part}
      </>
    ),
    first,
  )
}
