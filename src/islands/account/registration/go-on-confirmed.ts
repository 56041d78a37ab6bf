import { goInstead } from '#session/navigation.ts'
import { pendingCall } from '#session/pending-call.ts'
import { carryToast } from '#session/toasts.ts'

/** Leaves for the dialler if a number waits there for a signed-in user, else for the page that says what is ready. */
export function goOnConfirmed(isSignedIn: boolean): void {
  const isReady = isSignedIn && pendingCall() !== null
  if (isReady)
    carryToast({ type: 'success', message: 'Your e-mail is verified. Press Call when you’re ready.' })
  goInstead(isReady ? '/call' : '/email-verified')
}
