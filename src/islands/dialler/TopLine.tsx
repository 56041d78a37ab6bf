import { useStore } from '@nanostores/react'
import { lowBalanceMicroUsd } from '#lib/rules/balance.ts'
import { isAnswered, isLive } from '#lib/rules/call.ts'
import { formatBalance } from '#lib/rules/money.ts'
import { $balance } from '#stores/balance.ts'
import { $call } from '#stores/call.ts'
import { $freeCall } from '#stores/free-call.ts'
import { isTestCall } from '#stores/is-test-call.ts'
import { $session } from '#stores/session.ts'
import { $user } from '#stores/user.ts'
import styles from './dialler.module.css'
import { useAroundPhone } from './use-around-phone.ts'

/** The balance, or that a first call is free: until somebody answers it. A test call leaves it. */
export function TopLine() {
  const session = useStore($session)
  const user = useStore($user)
  const mayBeFree = useStore($freeCall)
  const call = useStore($call)
  const { microUsd } = useStore($balance)
  const around = useAroundPhone(false)
  if (session.status === 'signed_out') {
    return (
      <div className={`top ${styles['top']}`}>
        <span className="pill">First call free</span>
        {around && <around.SoundButton />}
        <a href="/register">Register</a>
      </div>
    )
  }
  const using = isAnswered(call) && call.rateMicroUsd === 0 && !isTestCall(call)
  const known = user !== null && microUsd !== null
  const free = mayBeFree && !using
  const low = known && !free && microUsd <= lowBalanceMicroUsd
  return (
    <div className={`top ${styles['top']}`}>
      <span className={`pill num ${known ? '' : styles['unknown']} ${low ? styles['low'] : ''}`}>
        {free ? 'Free Call Available' : `Balance: ${formatBalance(microUsd ?? 0)}`}
      </span>
      {/* Not before the pill has its words, which would move it. */}
      {around && (known || isLive(call)) && <around.SoundButton />}
      {session.status === 'signed_in' && <BuyCredits inCall={isLive(call)} />}
    </div>
  )
}

/** Leaving this page would hang up, so during a call another tab opens. */
function BuyCredits({ inCall }: { readonly inCall: boolean }) {
  return (
    <a href="/buy-credits" target={inCall ? '_blank' : undefined}>
      Buy Credits{inCall && <span className="sr"> (opens in a new tab)</span>}
    </a>
  )
}
