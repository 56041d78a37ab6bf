import { computed } from 'nanostores'
import type { Spending } from '#lib/api/spending.ts'
import { usdToMicroUsd } from '#lib/money/money.ts'
import { spendingTexts } from '#lib/money/spending.ts'
import { entryOfNumber } from '#lib/numbers/countries.ts'
import { placeName } from '#lib/numbers/place-name.ts'
import { $user } from '#session/user.ts'
import { $spending, loadSpending } from '#shared/spending.ts'
import { isLive } from '#voice/call.ts'
import { $call } from '../call/call.ts'
import { $freeCall } from '../call/free-call.ts'
import { dismissReadNotice } from '../notice.ts'
import { setSpendingWarning } from './caution.ts'
import { $paintedDial, $verdict } from './dial.ts'
import { $rate } from './rate.ts'

/** The user's own limit that would reject the number in the field, as far as the page knows. */
const $ownLimit = computed(
  [$spending, $verdict, $rate, $user, $freeCall],
  (shown, verdict, rate, user, free) => {
    if (shown.state !== 'ready' || verdict?.kind !== 'ok' || user === null) return null
    const spending = shown.value
    if (spending.locked.includes(verdict.isoCode))
      return spendingTexts.locked(placeName(entryOfNumber(verdict.e164, verdict.isoCode)))
    if (rate.kind !== 'known' || rate.number !== verdict.e164) return null
    if (free && rate.freeMinutes > 0) return null
    return capText(spending, rate.microUsdPerMinute)
  },
)

/** Which cap allows no minute at a rate, in the server's text; null if none does. */
export function capText(
  { perCall, perMonth, spentThisMonth, leftThisMonth }: Spending,
  rateMicroUsd: number,
): string | null {
  const ofCall = perCall === null ? null : usdToMicroUsd(perCall)
  if (ofCall !== null && ofCall < rateMicroUsd) return spendingTexts.callCap(ofCall, rateMicroUsd)
  if (perMonth === null || leftThisMonth === null) return null
  const left = usdToMicroUsd(leftThisMonth)
  if (left >= rateMicroUsd) return null
  // The charges so far would allow a minute, but another live call may still need it.
  if (usdToMicroUsd(perMonth) - usdToMicroUsd(spentThisMonth) >= rateMicroUsd) return spendingTexts.monthHeld
  return left === 0 ? spendingTexts.monthReached : spendingTexts.monthCap(left, rateMicroUsd)
}

/** Loads the limits for a new user, after each call, and when the page becomes visible. The server decides. */
export function followOwnLimit(): void {
  let userId: string | null = null
  let stale = false
  /** Whether the number was edited since the last call; if so, the user has read what the call cost. */
  let edited = true
  let before = $paintedDial.get()
  const showMessage = (text: string | null) => {
    if (text !== null && edited && !isLive($call.get())) dismissReadNotice()
    setSpendingWarning(text)
  }
  $call.listen(call => {
    if (isLive(call)) edited = false
    else if (call.state === 'ended' && call.talkedMs !== null) stale = true
  })
  $paintedDial.listen(dial => {
    if (dial.typed === before.typed && dial.country === before.country) return
    before = dial
    edited = true
    showMessage($ownLimit.get())
  })
  $user.subscribe(user => {
    const same = (user?.id ?? null) === userId
    userId = user?.id ?? null
    if (user === null || (same && !stale)) return
    stale = false
    void loadSpending()
  })
  $ownLimit.subscribe(showMessage)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && $user.get() !== null) void loadSpending()
  })
}
