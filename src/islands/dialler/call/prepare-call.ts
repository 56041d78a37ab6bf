import { computed } from 'nanostores'
import { followSession } from '#session/follow-session.ts'
import { $user } from '#session/user.ts'
import { isLive } from '#voice/call.ts'
import { $rejection, $verdict } from '../number/dial.ts'
import { $call, callLine } from './call.ts'
import { $callObstacle } from './call-obstacle.ts'

/** The number in the field, if the user can call it now; null otherwise. */
const $callable = computed(
  [$verdict, $rejection, $user, $call, $callObstacle],
  (verdict, rejection, user, call, obstacle) => {
    if (verdict?.kind !== 'ok' || rejection !== null || obstacle !== null || isLive(call)) return null
    const mayCall = user?.can_call && user.email_verified && (!user.has_used_free_call || user.credits > 0)
    return mayCall ? verdict.e164 : null
  },
)

/** Prepares a call as soon as a number can be called: the press of Call then waits for the microphone alone. */
export function followCallable(): void {
  $callable.subscribe(e164 => {
    if (e164 !== null) callLine.prepare()
  })
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && $callable.get() !== null) callLine.prepare()
  })
  followSession(callLine.discardPrepared)
}
