import type { RefObject } from 'react'

/**
 * Where the button that was pressed is gone, the focus goes to what came instead of it, once that is on the page. A focus
 * that somebody has moved meanwhile stays where it is.
 */
export function keepFocus(instead: RefObject<HTMLElement | null>): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) instead.current?.focus({ preventScroll: true })
  })
}
