import { isLive } from '#voice/call.ts'
import { nextTask } from '../next-task.ts'
import { $call } from './call.ts'

/** On some phones a dark screen suspends the page. Browsers release the lock of a hidden page, so request it again. */
export function followWakeLock(): void {
  if (!('wakeLock' in navigator)) return
  let held: WakeLockSentinel | null = null
  let asking = false

  async function keep(): Promise<void> {
    if (asking || held?.released === false || document.visibilityState !== 'visible') return
    asking = true
    // The browser may refuse, for example to save battery; the call continues.
    const lock = await navigator.wakeLock.request('screen').catch(() => null)
    asking = false
    held = lock
    if (!isLive($call.get())) letGo()
  }

  function letGo(): void {
    void held?.release().catch(() => undefined)
    held = null
  }

  function follow(): void {
    if (isLive($call.get())) void keep()
    else letGo()
  }

  // In the next task, so that a press of Call shows first.
  $call.subscribe(() => void nextTask().then(follow))
  document.addEventListener('visibilitychange', follow)
}
