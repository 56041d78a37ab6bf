import type { RefObject } from 'react'

/**
 * Moves the focus from a removed button to the content that replaced it, after the next render. A focus that the user
 * has moved meanwhile stays.
 */
export function keepFocus(instead: RefObject<HTMLElement | null>): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) instead.current?.focus({ preventScroll: true })
  })
}
