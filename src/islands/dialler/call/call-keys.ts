import { isAnswered } from '#voice/call.ts'
import { $call, callLine } from './call.ts'

export function toggleMute(): void {
  const call = $call.get()
  if (isAnswered(call)) callLine.setMuted(!call.muted)
}

/** The letter M of the layout; in other scripts, such as Greek, the physical key. */
function isM({ key, code }: KeyboardEvent): boolean {
  return /^[a-z]$/i.test(key) ? key.toLowerCase() === 'm' : code === 'KeyM'
}

/** Ctrl+Shift+M (Cmd on a Mac), wherever the focus is. */
export function followMuteKey(): void {
  document.addEventListener('keydown', event => {
    if (!event.shiftKey || event.altKey || !(event.ctrlKey || event.metaKey)) return
    if (!isM(event) || !isAnswered($call.get())) return
    // Some browsers use this shortcut themselves.
    event.preventDefault()
    if (!event.repeat) toggleMute()
  })
}
