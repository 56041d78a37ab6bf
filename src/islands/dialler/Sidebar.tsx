import { useStore } from '@nanostores/react'
import { ArrowRight, Check } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { CallEnded } from './call-ended/CallEnded.tsx'
import { RecentList } from './contacts/RecentList.tsx'
import { $recents, followRecents } from './contacts/recents.ts'
import { SidebarContacts } from './contacts/SidebarContacts.tsx'
import styles from './dialler.module.css'
import { PeopleSheet } from './people/PeopleSheet.tsx'
import { $people } from './people/people.ts'
import { useWide } from './use-wide.ts'

/** Beside the phone on wide screens: login for visitors, contacts and recent calls for users. */
export function Sidebar({ visitor }: { readonly visitor: boolean }) {
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

/** What is below the people waits for them, so that it does not move. */
function ForCallers() {
  const settled = useStore($people).state !== 'loading'
  useEffect(followRecents, [])
  return (
    <aside className="side" aria-label="Contacts and recent calls">
      <CallEnded place="beside" />
      <PeopleSheet />
      {settled && (
        <>
          <SidebarContacts />
          <RecentCalls />
        </>
      )}
    </aside>
  )
}

function RecentCalls() {
  const known = useStore($recents)
  return (
    <>
      <div className="sec">
        <h2>Recent calls</h2>
        {known.state === 'ready' && known.value.length > 0 && (
          <a className="more" href="/call-history">
            Call history <ArrowRight className="i" aria-hidden="true" />
          </a>
        )}
      </div>
      <RecentList />
    </>
  )
}

interface TipsProps {
  readonly className: string
  readonly children: readonly string[]
}

function Tips({ className, children }: TipsProps): ReactNode {
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
