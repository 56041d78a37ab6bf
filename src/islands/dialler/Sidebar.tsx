import { useStore } from '@nanostores/react'
import { ArrowRight, Check } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { localPath } from '#lib/i18n/path.ts'
import { aroundTexts } from './around-texts.ts'
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
    <aside className={`side ${styles['visitor']}`} aria-label={aroundTexts.signUp}>
      <h2>{aroundTexts.firstCallFree}</h2>
      <p className={`soft ${styles['lead']}`}>{aroundTexts.lead}</p>
      <div className={styles['choices']}>
        <a className="btn primary big" href={localPath('/register')}>
          {aroundTexts.register}
        </a>
        <a className="btn big" href={localPath('/login')}>
          {aroundTexts.login}
        </a>
      </div>
      <Tips className={styles['tips'] ?? ''}>
        {[aroundTexts.tipRates, aroundTexts.tipCredits, aroundTexts.tipMoneyBack]}
      </Tips>
    </aside>
  )
}

/** What is below the people waits for them, so that it does not move. */
function ForCallers() {
  const settled = useStore($people).state !== 'loading'
  useEffect(followRecents, [])
  return (
    <aside className="side" aria-label={aroundTexts.contactsAndCalls}>
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
        <h2>{aroundTexts.recentCalls}</h2>
        {known.state === 'ready' && known.value.length > 0 && (
          <a className="more" href={localPath('/call-history')}>
            {aroundTexts.callHistory} <ArrowRight className="i" aria-hidden="true" />
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
