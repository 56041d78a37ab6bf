import { isAnswered } from '#lib/rules/call.ts'
import { $call, callLine } from './call.ts'

/** Turns the microphone of an answered call off, or on again. Nothing happens outside of one. */
export function toggleMute(): void {
  const call = $call.get()
  if (isAnswered(call)) callLine.setMuted(!call.muted)
}

/** The letter M, wherever a layout has it; on one of another script, such as Greek, the key that is M elsewhere. */
function isM({ key, code }: KeyboardEvent): boolean {
  return /^[a-z]$/i.test(key) ? key.toLowerCase() === 'm' : code === 'KeyM'
}

/** Ctrl+Shift+M, with Cmd on a Mac, wherever the focus is. */
export function followMuteKey(): void {
  document.addEventListener('keydown', event => {
    if (!event.shiftKey || event.altKey || !(event.ctrlKey || event.metaKey)) return
    if (!isM(event) || !isAnswered($call.get())) return
    // Browsers have uses of their own for it.
    event.preventDefault()
    if (!event.repeat) toggleMute()
  })
}
