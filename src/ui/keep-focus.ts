import type { RefObject } from 'react'

/** Moves the focus from a removed button to what replaced it, after the next render. A focus moved meanwhile stays. */
export function keepFocus(instead: RefObject<HTMLElement | null>): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) instead.current?.focus({ preventScroll: true })
  })
}
