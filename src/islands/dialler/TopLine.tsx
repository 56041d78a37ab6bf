import { useStore } from '@nanostores/react'
import { formatBalance } from '#lib/rules/money.ts'
import { $balance } from '#stores/balance.ts'
import { $session } from '#stores/session.ts'
import { $user } from '#stores/user.ts'
import styles from './dialler.module.css'

/** The balance, or that a first call is free. */
export function TopLine() {
  const session = useStore($session)
  const user = useStore($user)
  const { microUsd } = useStore($balance)
  if (session.status === 'signed_out') {
    return (
      <div className={`top ${styles['top']}`}>
        <span className="pill">First call free</span>
        <a href="/register">Register</a>
      </div>
    )
  }
  const known = user !== null && microUsd !== null
  return (
    <div className={`top ${styles['top']}`}>
      <span className={`pill num ${known ? '' : styles['unknown']}`}>
        {user?.has_used_free_call === false
          ? 'Free Call Available'
          : `Balance: ${formatBalance(microUsd ?? 0)}`}
      </span>
    </div>
  )
}
