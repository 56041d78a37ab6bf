import { followBalance } from './balance.ts'
import { callLine } from './call.ts'
import { chooseLinkedCountry, enterLinkedNumber, followNumber, loadPhoneRules } from './dial.ts'
import { markLiveCalls } from './mark-live-calls.ts'
import { nextTask } from './next-task.ts'
import { start } from './session.ts'
import { $user, loadUser } from './user.ts'

let opened = false

/** Puts the dialler's stores to work, once per page. */
export function openDialler(): void {
  if (opened) return
  opened = true
  chooseLinkedCountry(window.location.href)
  enterLinkedNumber(window.location.href)
  markLiveCalls()
  followBalance(hangUpUnlessToppedUp)
  followNumber()
  void followLater()
  // Leaving the page ends the call: by the caller, whatever the voice client makes of it.
  window.addEventListener('pagehide', () => callLine.hangUp())
  void start().then(loadUser)
}

/** Puts those to work without which the phone can be used: their code comes once it can. */
async function followLater(): Promise<void> {
  await nextTask()
  // A piece that does not load is dealt with by the page (specification section 2); Call asks for it again.
  loadPhoneRules().catch((error: unknown) => console.error('The numbering plans did not load.', error))
  await nextTask()
  try {
    const {
      feedback,
      followCalls,
      followCaution,
      followContacts,
      followInCall,
      followLeftCall,
      followNews,
      followPayment,
      followSpending,
      followTestLink,
      wizard,
    } = await import('./dialler-later.ts')
    void followPayment()
    followContacts()
    followSpending()
    followTestLink()
    followCaution()
    followCalls()
    void followLeftCall()
    followNews()
    feedback.follow()
    wizard.offer()
    followInCall()
  } catch (error) {
    // A piece that does not load is dealt with by the page (specification section 2).
    console.error('What follows calls did not load.', error)
  }
}

/** Specification section 4: hung up when the balance would reach 0, unless it is topped up by itself. */
function hangUpUnlessToppedUp(): void {
  if ($user.get()?.auto_topup_enabled !== true) callLine.hangUp()
}
