import { useStore } from '@nanostores/react'
import { ArrowRight, Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { $contacts } from '#stores/contacts.ts'
import { BesideContacts } from './BesideContacts.tsx'
import styles from './dialler.module.css'
import { useWide } from './use-wide.ts'

/** Beside the phone on wide screens: the way in for visitors, contacts and how calls are charged for others. */
export function Beside({ visitor }: { readonly visitor: boolean }) {
  if (!useWide()) return null
  return visitor ? <SignUp /> : <ForCallers />
}

function SignUp() {
  return (
    <aside className={`side ${styles['visitor']}`} aria-label="Sign up">
      <h2>Your first call is free</h2>
      <p className={`soft ${styles['lead']}`}>
        Sign up with an e-mail address and ring any mobile or landline. No card needed, nothing to install.
      </p>
      <div className={styles['choices']}>
        <a className="btn primary big" href="/register">
          Register
        </a>
        <a className="btn big" href="/login">
          Login
        </a>
      </div>
      <Tips className={styles['tips'] ?? ''}>
        {[
          'Rates from about 2¢ a minute, shown before you call',
          'Credits never expire',
          '7-day money-back guarantee',
        ]}
      </Tips>
    </aside>
  )
}

/** What stands below the contacts waits for them, so that they move nothing when they come. */
function ForCallers() {
  const { state } = useStore($contacts)
  const settled = state === 'ready' || state === 'failed'
  return (
    <aside className="side" aria-label="Contacts and what a call costs">
      <BesideContacts />
      {settled && <HowCharged />}
    </aside>
  )
}

function HowCharged() {
  return (
    <>
      <div className="sec">
        <h2>What a call costs</h2>
        <a className="more" href="/call-history">
          Call history <ArrowRight className="i" aria-hidden="true" />
        </a>
      </div>
      <Tips>
        {[
          'The rate shows before you call',
          'Minutes count from the answer, and a started minute is a whole one',
          'Ringing, busy and unanswered calls cost nothing',
        ]}
      </Tips>
    </>
  )
}

interface TipsProps {
  readonly className?: string
  readonly children: readonly string[]
}

function Tips({ className = '', children }: TipsProps): ReactNode {
  return (
    <ul className={`tips ${className}`}>
      {children.map(tip => (
        <li key={tip} className="tick">
          <Check className="i" aria-hidden="true" />
          {tip}
        </li>
      ))}
    </ul>
  )
}
