import type { ReadableAtom } from 'nanostores'
import { useEffect, useState } from 'react'

/**
 * Calls back once the page has been painted, so that the paint does not wait for this work. A hidden page is not painted
 * before it shows. Without a page, as in unit tests, it calls back at once.
 * @returns cancels the callback
 */
export function afterPaint(callback: () => void): () => void {
  if (typeof requestAnimationFrame === 'undefined') {
    callback()
    return () => undefined
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(callback)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}

/** The store's value as it was at the last paint: what takes long to draw follows what answers a press. */
export function useStoreAfterPaint<Value>(store: ReadableAtom<Value>): Value {
  const [painted, setPainted] = useState(() => store.get())
  useEffect(() => {
    let forget: (() => void) | undefined
    const unsubscribe = store.subscribe(() => {
      forget?.()
      forget = afterPaint(() => setPainted(store.get()))
    })
    return () => {
      unsubscribe()
      forget?.()
    }
  }, [store])
  return painted
}
