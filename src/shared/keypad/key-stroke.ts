import { typesAnywhere } from './typing.ts'

/** Fields and dialogs use their own keys. So does what stands where the user was still typing (`data-own-keys`). */
export function isTakenBy(target: EventTarget | null): boolean {
  if (target instanceof Element && target.closest('input, textarea, select') !== null) return true
  return document.querySelector('dialog[open], [data-own-keys]') !== null
}

export type KeyStroke = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'getModifierState'>

/** Whether a key is the browser's. On many keyboards `#`, `*` or `+` needs Alt or AltGr. */
export function isShortcut(stroke: KeyStroke): boolean {
  const isSign = /^[*#+]$/.test(stroke.key)
  // Some systems report AltGr as Ctrl and Alt together.
  if (isSign && stroke.getModifierState('AltGraph')) return false
  return stroke.ctrlKey || stroke.metaKey || (stroke.altKey && !isSign)
}

/** Whether a key outside fields types a character; never when the user has switched that off. */
export function isCharacter({ key }: Pick<KeyboardEvent, 'key'>): boolean {
  return key.length === 1 && typesAnywhere()
}
