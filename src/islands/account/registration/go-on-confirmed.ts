import { goInstead } from '#session/navigation.ts'
import { pendingCall } from '#session/pending-call.ts'
import { consumeReturnPath } from '#session/return-path.ts'
import { carryToast } from '#session/toasts.ts'

/**
 * Leaves for what a signed-in user wanted before signing up: the dialler if a number waits there, or a page such as the
 * checkout. Everybody else gets the page that says what is ready.
 */
export function goOnConfirmed(isSignedIn: boolean): void {
  const isCallPending = pendingCall() !== null
  const path = isSignedIn ? consumeReturnPath(window.location.href, isCallPending ? '/call' : '') : ''
  if (path !== '') {
    const next = isCallPending ? ' Press Call when you’re ready.' : ''
    carryToast({ type: 'success', message: `Your e-mail is verified.${next}` })
  }
  goInstead(path === '' ? '/email-verified' : path)
}
