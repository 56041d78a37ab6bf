import { useStore } from '@nanostores/react'
import { minuteMs } from '#lib/time.ts'
import { $user } from '#session/user.ts'
import { useElapsedMs } from '#ui/use-elapsed.ts'
import type { AnsweredCall } from '#voice/call.ts'
import { $balance } from './balance.ts'
import { type CallTerms, costText, timeLeftMs, timeLeftText } from './call-cost.ts'
import { $limitMinutes } from './call-terms.ts'
import styles from './in-call.module.css'
import { texts } from './texts.ts'

/** From here on, the time left is what matters. */
const littleMs = 2.5 * minuteMs

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
      {leftMs === null && toppedUp && <span>{texts.autoTopUpOn}</span>}
    </>
  )
}
