import { atom, type ReadableAtom } from 'nanostores'
import { toggleAutoTopUp } from '#lib/api/payments.ts'
import { authorised } from '#session/api.ts'
import { $session } from '#session/session.ts'
import { showToast } from '#session/toasts.ts'
import { $user, loadUser } from '#session/user.ts'
import { autoTopUp } from './texts.ts'

const $shown = atom(false)
export const $autoTopUp: ReadableAtom<boolean> = $shown

const $trouble = atom<string | null>(null)
/** Why the last charge of the saved card failed and what to do; null if it did not. */
export const $autoTopUpTrouble: ReadableAtom<string | null> = $trouble

let confirmed = false
/** The visitor has changed the switch; the server's value must not move it. */
let ours = false
/** Counts changes of the switch; a superseded one is not sent, or its answer is ignored. */
let turns = 0
let working: Promise<void> = Promise.resolve()

export function followAutoTopUp(): () => void {
  return $user.subscribe(user => {
    if (user === null) return
    confirmed = user.auto_topup_enabled
    $trouble.set(user.auto_topup_trouble ?? null)
    if (!ours) $shown.set(confirmed)
  })
}

/** Switches it on in the page alone, without a message: the user did so before a checkout that was then cancelled. */
export function restoreAutoTopUp(): void {
  ours = true
  $shown.set(true)
}

/** Changes the page at once (SPEC-4.7 to SPEC-4.9). Sends one request at a time, and only the last change waiting. */
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
    // Changing the switch resets the server's failure count.
    $trouble.set(null)
  }
  if (turn !== turns) return
  if (!result.ok && result.code === 'no_saved_card') return stay(on)
  ours = false
  $shown.set(confirmed)
  if (!result.ok) return void showToast({ type: 'error', message: result.message })
  say(confirmed)
}

/** Not signed in, or no saved card: the choice is sent with the checkout. */
function stay(on: boolean): void {
  ours = on
  if (on) showToast({ type: 'info', message: autoTopUp.needsCard })
  else say(false)
}

function say(on: boolean): void {
  showToast({ type: 'success', message: on ? autoTopUp.enabled : autoTopUp.disabled })
}
