import type { RefObject } from 'react'

/** After the next render, from a removed button to what replaced it. A focus that the user has moved stays. */
export function keepFocus(instead: RefObject<HTMLElement | null>): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) instead.current?.focus({ preventScroll: true })
  })
}
