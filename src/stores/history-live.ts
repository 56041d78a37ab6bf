import { refreshHistory } from './history.ts'
import { openRealtime } from './realtime.ts'
import { $user, loadUser } from './user.ts'

/**
 * Keeps the history in step with calls that begin and end meanwhile, on this device or another.
 * @returns stops it
 */
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
  // What was told meanwhile is missed.
  reconnected: () => {
    void refreshHistory()
    void loadUser()
  },
}
