import { useEffect, useState } from 'react'

/**
 * Calls back once the page has been painted, so that the paint does not wait for this work. A hidden page is not painted
 * before it shows.
 * Without a page, as in unit tests, it calls back at once.
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

/** The value as it was at the last paint: what takes long to draw follows what answers a press. */
export function useAfterPaint<Value>(value: Value): Value {
  const [painted, setPainted] = useState(value)
  useEffect(() => afterPaint(() => setPainted(value)), [value])
  return painted
}
