import { isAnswered } from '#lib/rules/call.ts'
import { $call, callLine } from './call.ts'

/** Turns the microphone of an answered call off, or on again. Nothing happens outside of one. */
export function toggleMute(): void {
  const call = $call.get()
  if (isAnswered(call)) callLine.setMuted(!call.muted)
}

/** Ctrl+Shift+M, with Cmd on a Mac, wherever the focus is. Other layouts have the letter on another key. */
export function followMuteKey(): void {
  document.addEventListener('keydown', event => {
    if (!event.shiftKey || event.altKey || !(event.ctrlKey || event.metaKey)) return
    if (event.key.toLowerCase() !== 'm' || !isAnswered($call.get())) return
    // Browsers have uses of their own for it.
    event.preventDefault()
    if (!event.repeat) toggleMute()
  })
}
