import { useStore } from '@nanostores/react'
import { CircleAlert } from 'lucide-react'
import { $user } from '#session/user.ts'
import styles from './billing-history.module.css'

/** The reason why the account may not call, such as a disputed payment. Renders nothing when there is none. */
export function Restriction() {
  const user = useStore($user)
  if (user === null || user.can_call || user.blocked_reason == null) return null
  return (
    <p className={`note bad ${styles['restriction']}`}>
      <CircleAlert className="i" aria-hidden="true" />
      <span>You cannot call for now. {user.blocked_reason}</span>
    </p>
  )
}
