import { localPath } from '#lib/i18n/path.ts'
import { goInstead } from '#session/navigation.ts'
import { pendingCall } from '#session/pending-call.ts'
import { consumeReturnPath } from '#session/return-path.ts'
import { carryToast } from '#session/toasts.ts'
import { texts } from './confirmed-texts.ts'

/**
 * Leaves for what a signed-in user wanted before signing up: the dialler if a number waits there, or a page such as the
 * checkout. Everybody else gets the page that says what is ready.
 */
export function goOnConfirmed(isSignedIn: boolean): void {
  const isCallPending = pendingCall() !== null
  const path = isSignedIn
    ? consumeReturnPath(window.location.href, isCallPending ? localPath('/call') : '')
    : ''
  if (path !== '') {
    carryToast({ type: 'success', message: isCallPending ? texts.pressCall : texts.verified })
  }
  goInstead(path === '' ? localPath('/email-verified') : path)
}
