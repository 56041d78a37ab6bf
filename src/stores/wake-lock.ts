import { isLive } from '#lib/rules/call.ts'
import { $call } from './call.ts'

/**
 * Keeps the screen on during a call, where browsers can: one that goes dark suspends the page on some telephones. The
 * browser lets go whenever the page is hidden, so it is asked again when the page shows.
 */
export function followWakeLock(): void {
  if (!('wakeLock' in navigator)) return
  let held: WakeLockSentinel | null = null
  let asking = false

  async function keep(): Promise<void> {
    if (asking || held?.released === false || document.visibilityState !== 'visible') return
    asking = true
    // Refused to save a battery, for one: the call goes on.
    const lock = await navigator.wakeLock.request('screen').catch(() => null)
    asking = false
    held = lock
    if (!isLive($call.get())) letGo()
  }

  function letGo(): void {
    void held?.release().catch(() => undefined)
    held = null
  }

  $call.subscribe(call => {
    if (isLive(call)) void keep()
    else letGo()
  })
  document.addEventListener('visibilitychange', () => {
    if (isLive($call.get())) void keep()
  })
}
