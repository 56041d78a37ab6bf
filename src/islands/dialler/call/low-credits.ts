import { computed, type ReadableAtom } from 'nanostores'
import { lowBalanceMicroUsd } from '#lib/money/balance.ts'
import { $user } from '#session/user.ts'
import { isAnswered } from '#voice/call.ts'
import { $balance } from './balance.ts'
import { $call } from './call.ts'
import { $freeCall } from './free-call.ts'

/** $2 or less in a charged call (PD-31). One of unknown rate counts as charged unless the free call is available. */
export const $lowCredits: ReadableAtom<boolean> = computed(
  [$call, $balance, $user, $freeCall],
  (call, balance, user, free) => {
    if (!isAnswered(call) || balance.microUsd === null) return false
    const charged = call.rateMicroUsd === null ? user !== null && !free : call.rateMicroUsd > 0
    return charged && balance.microUsd <= lowBalanceMicroUsd
  },
)
