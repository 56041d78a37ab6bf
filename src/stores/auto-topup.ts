import { atom, type ReadableAtom } from 'nanostores'
import { toggleAutoTopUp } from '#lib/api/payments.ts'
import { texts } from '#lib/rules/error-texts.ts'
import { authorised } from './api.ts'
import { $session } from './session.ts'
import { showToast } from './toasts.ts'
import { $user, loadUser } from './user.ts'

const $shown = atom(false)
/** Whether auto top-up is on, as the page shows it and sends it with a checkout. Written here alone. */
export const $autoTopUp: ReadableAtom<boolean> = $shown

const $told = atom<string | null>(null)
/** Why the saved card was not charged the last time, and what to do; null where nothing is wrong. Written here alone. */
export const $autoTopUpTrouble: ReadableAtom<string | null> = $told

/** As the server last said. */
let confirmed = false
/** The switch stands where the visitor put it, and what the server says of the user does not move it. */
let ours = false
/** Counts turns of the switch: one that has been overtaken is not carried out, or its answer not shown. */
let turns = 0
let working: Promise<void> = Promise.resolve()

/** Follows what the server says of the signed-in user. */
export function followAutoTopUp(): () => void {
  return $user.subscribe(user => {
    if (user === null) return
    confirmed = user.auto_topup_enabled
    $told.set(user.auto_topup_trouble ?? null)
    if (!ours) $shown.set(confirmed)
  })
}

/**
 * Turns it on or off (specification section 4), on the page at once. The server hears of one turn after the other;
 * of those made meanwhile the last counts.
 */
export function setAutoTopUp(on: boolean): Promise<void> {
  turns += 1
  const turn = turns
  ours = true
  $shown.set(on)
  working = working.then(() => (turn === turns ? carryOut(on, turn) : undefined))
  return working
}

async function carryOut(on: boolean, turn: number): Promise<void> {
  const user = $user.get() ?? (await loadUser())
  if (turn !== turns) return
  if ($session.get().status !== 'signed_in' || (on && user?.hasSavedPaymentMethod === false)) return stay(on)
  const result = await authorised(toggleAutoTopUp, { body: { autoTopUpEnabled: on } })
  if (result.ok) {
    confirmed = result.value.auto_topup_enabled
    // Turning the switch begins the count anew.
    $told.set(null)
  }
  if (turn !== turns) return
  if (!result.ok && result.code === 'no_saved_card') return stay(on)
  ours = false
  $shown.set(confirmed)
  if (!result.ok) return void showToast({ type: 'error', message: result.message })
  say(confirmed)
}

/** There is nobody to tell, or nothing to charge yet: the checkout will say so. */
function stay(on: boolean): void {
  ours = on
  if (on) showToast({ type: 'info', message: texts.autoTopUp.needs_card })
  else say(false)
}

function say(on: boolean): void {
  showToast({ type: 'success', message: on ? texts.autoTopUp.enabled : texts.autoTopUp.disabled })
}
