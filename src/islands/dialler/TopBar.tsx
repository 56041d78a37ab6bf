import { useStore } from '@nanostores/react'
import { localPath } from '#lib/i18n/path.ts'
import { lowBalanceMicroUsd } from '#lib/money/balance.ts'
import { formatBalance } from '#lib/money/money.ts'
import { $session } from '#session/session.ts'
import { $user } from '#session/user.ts'
import { isAnswered, isLive } from '#voice/call.ts'
import { $balance } from './call/balance.ts'
import { $call } from './call/call.ts'
import { $freeCall } from './call/free-call.ts'
import { isTestCall } from './call/is-test-call.ts'
import styles from './dialler.module.css'
import { texts } from './texts.ts'
import { useLazyDialler } from './use-lazy-dialler.ts'

/** Keeps the width of a balance until there is one. A constant: the browser's formatter is slow to start. */
const unknownAmount = '$0.00'

/** The balance, or the free first call, before and while it lasts. A test call does not use it up. */
export function TopBar() {
  const session = useStore($session)
  const user = useStore($user)
  const mayBeFree = useStore($freeCall)
  const call = useStore($call)
  const { microUsd, stale } = useStore($balance)
  const lazy = useLazyDialler(false)
  if (session.status === 'signed_out') {
    return (
      <div className={`top ${styles['top']}`}>
        <span className="pill">{texts.firstCallFree}</span>
        {lazy && <lazy.SoundButton />}
        <a href={localPath('/register')}>{texts.register}</a>
      </div>
    )
  }
  const using = isAnswered(call) && call.rateMicroUsd === 0 && !isTestCall(call)
  const known = user !== null && microUsd !== null
  const free = mayBeFree && !using
  const low = known && !free && !using && microUsd <= lowBalanceMicroUsd
  return (
    <div className={`top ${styles['top']}`}>
      {stale && lazy ? (
        <lazy.BalanceTrouble />
      ) : (
        <span className={`pill num ${known ? '' : styles['unknown']} ${low ? styles['low'] : ''}`}>
          {using
            ? texts.freeCall
            : free
              ? texts.freeCallAvailable
              : texts.balance({ amount: known ? formatBalance(microUsd) : unknownAmount })}
        </span>
      )}
      {/* Rendered after the pill's text, which would move it. */}
      {lazy && (known || isLive(call)) && <lazy.SoundButton />}
      {session.status === 'signed_in' && <BuyCredits inCall={isLive(call)} />}
    </div>
  )
}

/** Opens a new tab during a call, because leaving the page would hang up. */
function BuyCredits({ inCall }: { readonly inCall: boolean }) {
  return (
    <a href={localPath('/buy-credits')} target={inCall ? '_blank' : undefined}>
      {texts.buyCredits}
      {inCall && <span className="sr"> {texts.opensTab}</span>}
    </a>
  )
}
