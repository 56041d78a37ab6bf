import { useEffect, useEffectEvent } from 'react'
import { keepDialable } from '#lib/numbers/dialable.ts'
import { isCharacter, isShortcut, isTakenBy } from '#shared/keypad/key-stroke.ts'

export interface NumberKeys {
  /** @param text one digit, or a plus */
  readonly onType: (text: string) => void
  readonly onPaste: (text: string) => void
  readonly onDelete: () => void
  readonly onCall: () => void
}

/** Whether Enter presses this element itself; otherwise Enter calls. */
function presses(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('a, button, summary, [tabindex]') !== null
}

/** Between calls, a number typed or pasted anywhere on the page goes into its field, and Enter calls it. */
export function useNumberKeys(keys: NumberKeys): void {
  const type = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Backspace') keys.onDelete()
    else if (event.key === 'Enter') {
      if (event.repeat || presses(event.target)) return
      // The focus moves to Hang up at once; this key must not press it.
      event.preventDefault()
      keys.onCall()
    } else if (isCharacter(event) && keepDialable(event.key) !== '') keys.onType(event.key)
  })
  const paste = useEffectEvent(keys.onPaste)
  useEffect(() => {
    const listening = new AbortController()
    const { signal } = listening
    document.addEventListener(
      'keydown',
      event => {
        if (event.defaultPrevented || isShortcut(event)) return
        if (!isTakenBy(event.target)) type(event)
      },
      { signal },
    )
    document.addEventListener(
      'paste',
      event => {
        const text = event.clipboardData?.getData('text') ?? ''
        if (!isTakenBy(event.target) && keepDialable(text) !== '') paste(text)
      },
      { signal },
    )
    return () => listening.abort()
  }, [])
}
