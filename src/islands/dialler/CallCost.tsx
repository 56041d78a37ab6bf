import { useStore } from '@nanostores/react'
import type { AnsweredCall } from '#lib/rules/call.ts'
import { type CallTerms, costText, timeLeftMs, timeLeftText } from '#lib/rules/call-cost.ts'
import { msPerMinute } from '#lib/rules/pricing.ts'
import { $balance } from '#stores/balance.ts'
import { $limitMinutes } from '#stores/call-terms.ts'
import { $user } from '#stores/user.ts'
import styles from './in-call.module.css'
import { useElapsedMs } from './use-elapsed.ts'

/** From here on, the time left is what matters. */
const littleMs = 2.5 * msPerMinute

/** The cost so far and the time left. Not announced, because it changes constantly. */
export function CallCost({ call }: { readonly call: AnsweredCall }) {
  const talkedMs = useElapsedMs(call.answeredAtMs)
  const balanceMicroUsd = useStore($balance).microUsd
  const limitMinutes = useStore($limitMinutes)
  const toppedUp = useStore($user)?.auto_topup_enabled === true
  const { rateMicroUsd } = call
  if (rateMicroUsd === null) return '\u00a0'
  const terms: CallTerms = { rateMicroUsd, talkedMs, balanceMicroUsd, limitMinutes, toppedUp }
  const leftMs = timeLeftMs(terms)
  const little = leftMs !== null && leftMs < littleMs
  return (
    <>
      <span>{costText(terms)}</span>
      {leftMs !== null && <span className={little ? styles.little : ''}>{timeLeftText(leftMs)}</span>}
      {leftMs === null && toppedUp && <span>Auto top-up on</span>}
    </>
  )
}
