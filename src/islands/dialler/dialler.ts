import { start } from '#session/session.ts'
import { $user, loadUser } from '#session/user.ts'
import { loadPhoneRules } from '#shared/numbers/phone-rules.ts'
import { isLive } from '#voice/call.ts'
import { followBalance } from './call/balance.ts'
import { $call, callLine } from './call/call.ts'
import { lookForCallObstacle } from './call/call-obstacle.ts'
import { markLiveCalls } from './call/mark-live-calls.ts'
import { nextTask } from './next-task.ts'
import { chooseLinkedCountry, enterLinkedNumber, followNumber } from './number/dial.ts'

let opened = false

export function openDialler(): void {
  if (opened) return
  opened = true
  lookForCallObstacle()
  chooseLinkedCountry(window.location.href)
  enterLinkedNumber(window.location.href)
  // An installed app that is already open receives a `tel:` link as a new fragment.
  window.addEventListener('hashchange', () => {
    if (!isLive($call.get())) enterLinkedNumber(window.location.href)
  })
  markLiveCalls()
  followBalance(hangUpUnlessToppedUp)
  followNumber()
  void followLater()
  // The user ends the call by leaving, whatever the voice client reports.
  window.addEventListener('pagehide', () => callLine.hangUp())
  void start().then(loadUser)
}

/** Starts what the phone works without, once the phone is usable. */
async function followLater(): Promise<void> {
  await nextTask()
  import('./later-parts.ts').then(({ follow }) => follow()).catch(logUnloaded)
  await nextTask()
  loadPhoneRules().catch(logUnloaded) // Call loads it again.
}

/** The page handles a chunk that does not load (SPEC-2.19). */
function logUnloaded(error: unknown): void {
  console.error('A part of the dialler did not load.', error)
}

/** A call ends when the balance would reach 0, unless auto top-up is on (SPEC-4.16). */
function hangUpUnlessToppedUp(): void {
  if ($user.get()?.auto_topup_enabled !== true) callLine.hangUp()
}
