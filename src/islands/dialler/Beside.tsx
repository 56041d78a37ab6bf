import { ArrowRight, Check } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './dialler.module.css'

/** Beside the phone on wide screens: the way in for visitors, how calls are charged for everybody else. */
export function Beside({ visitor }: { readonly visitor: boolean }) {
  return visitor ? <SignUp /> : <HowCharged />
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
      <Tips>
        {[
          'Rates from about 2¢ a minute, shown before you call',
          'Credits never expire',
          '7-day money-back guarantee',
        ]}
      </Tips>
    </aside>
  )
}

function HowCharged() {
  return (
    <aside className="side" aria-label="How calls are charged">
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
    </aside>
  )
}

function Tips({ children }: { readonly children: readonly string[] }): ReactNode {
  return (
    <ul className={`tips ${styles['tips']}`}>
      {children.map(tip => (
        <li key={tip} className="tick">
          <Check className="i" aria-hidden="true" />
          {tip}
        </li>
      ))}
    </ul>
  )
}
