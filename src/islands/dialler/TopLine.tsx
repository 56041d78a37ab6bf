import { useStore } from '@nanostores/react'
import { isAnswered } from '#lib/rules/call.ts'
import { formatBalance } from '#lib/rules/money.ts'
import { $balance } from '#stores/balance.ts'
import { $call } from '#stores/call.ts'
import { $session } from '#stores/session.ts'
import { $user } from '#stores/user.ts'
import styles from './dialler.module.css'

/** The balance, or that a first call is free: until somebody answers it. */
export function TopLine() {
  const session = useStore($session)
  const user = useStore($user)
  const call = useStore($call)
  const { microUsd } = useStore($balance)
  if (session.status === 'signed_out') {
    return (
      <div className={`top ${styles['top']}`}>
        <span className="pill">First call free</span>
        <a href="/register">Register</a>
      </div>
    )
  }
  const using = isAnswered(call) && call.rateMicroUsd === 0
  const known = user !== null && microUsd !== null
  return (
    <div className={`top ${styles['top']}`}>
      <span className={`pill num ${known ? '' : styles['unknown']}`}>
        {user?.has_used_free_call === false && !using
          ? 'Free Call Available'
          : `Balance: ${formatBalance(microUsd ?? 0)}`}
      </span>
    </div>
  )
}
