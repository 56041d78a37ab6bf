import { company } from '#lib/company.ts'
import { $contactNames } from '#shared/contacts.ts'
import { isAnswered, isLive } from '#voice/call.ts'
import { nextTask } from '../next-task.ts'
import { $call, callLine } from './call.ts'
import { toggleMute } from './call-keys.ts'
import { partyOf } from './call-title.ts'

/** Ignores actions that the browser does not support. */
function handle(action: string, handler: (() => void) | null): void {
  try {
    navigator.mediaSession.setActionHandler(action as MediaSessionAction, handler)
  } catch {
    // Unsupported by this browser.
  }
}

/** Shows the call on lock screens and headsets, with a way to hang up. */
export function followMediaSession(): void {
  if (!('mediaSession' in navigator)) return
  const { mediaSession } = navigator
  let offered = false
  let shown: boolean | null = null

  function offer(on: boolean): void {
    if (on === offered) return
    offered = on
    handle('hangup', on ? () => callLine.hangUp() : null)
    handle('togglemicrophone', on ? toggleMute : null)
    if (on) return
    mediaSession.metadata = null
    shown = null
  }

  /** A hidden page may be refused, and is asked again at the next change; some browsers return no promise. */
  function showActive(active: boolean): void {
    if (active === shown) return
    shown = active
    Promise.resolve(mediaSession.setMicrophoneActive?.(active)).catch(() => {
      shown = null
    })
  }

  function show(): void {
    const call = $call.get()
    offer(isLive(call))
    if (!isLive(call)) return
    const title = partyOf(call)
    if (mediaSession.metadata?.title !== title)
      mediaSession.metadata = new MediaMetadata({ title, artist: company.name })
    showActive(!(isAnswered(call) && call.muted))
  }

  // In the next task, so that a press of Call or Hang up shows first: the system takes a while.
  const showNext = () => void nextTask().then(show)
  $call.subscribe(showNext)
  $contactNames.listen(showNext)
}
