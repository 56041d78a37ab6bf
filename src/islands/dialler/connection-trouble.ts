import { showConnectionTrouble } from '#session/realtime.ts'
import { isLive } from '#voice/call.ts'
import { $call } from './call/call.ts'
import { $notice } from './notice.ts'

export function isInCall(): boolean {
  return isLive($call.get())
}

/** A live call has its own message, which a toast would cover. @returns whether the user was warned */
export function warnOfTrouble(): boolean {
  if (isInCall()) return false
  return $notice.get()?.about === 'connection' || showConnectionTrouble()
}
