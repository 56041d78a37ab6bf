import { openRealtime, showConnectionTrouble } from '#session/realtime.ts'
import { $user, loadUser } from '#session/user.ts'
import { refreshHistory } from './history.ts'

/** Updates the history when calls begin or end, on any device. @returns stops following */
export function followHistory(): () => void {
  let userId: string | null = null
  let close: (() => void) | null = null
  const stop = $user.subscribe(user => {
    if ((user?.id ?? null) === userId) return
    userId = user?.id ?? null
    close?.()
    close = userId === null ? null : openRealtime(userId, handlers)
  })
  return () => {
    stop()
    close?.()
  }
}

const handlers = {
  balance: () => void loadUser(),
  call: () => void refreshHistory(),
  callError: () => undefined,
  isInCall: () => false,
  warnOfTrouble: showConnectionTrouble,
  reconnected: () => {
    void refreshHistory()
    void loadUser()
  },
}
