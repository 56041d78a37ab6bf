import { useEffect, useState } from 'react'
import type { AuthorizationRequest } from '#lib/api/local-google.ts'
import { ChooseAccount } from './ChooseAccount.tsx'
import styles from './dev-google.module.css'
import { readAuthorizationRequest } from './local-google.ts'

export function DevGoogle() {
  const [asked, setAsked] = useState<AuthorizationRequest | null>()
  useEffect(() => setAsked(readAuthorizationRequest()), [])
  if (asked === undefined) return null
  return (
    <div className={`wrap ${styles['page']}`}>
      {asked === null ? (
        <>
          <h1>No sign-in to answer</h1>
          <p className="soft">Press Continue with Google on Login or Register to get here.</p>
          <p>
            <a className="btn primary" href="/login">
              Login
            </a>
          </p>
        </>
      ) : (
        <>
          <h1>Choose an account</h1>
          <ChooseAccount asked={asked} />
        </>
      )}
    </div>
  )
}
