import { useEffect, useState } from 'react'

/** Where nothing is painted, as in a hidden page. */
const maxWaitMs = 100

/**
 * Calls back once the page has been painted, so that the paint does not wait for this work.
 * @returns cancels the callback
 */
export function afterPaint(callback: () => void): () => void {
  let timer = setTimeout(callback, maxWaitMs)
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer)
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
  useEffect(() => (value === painted ? undefined : afterPaint(() => setPainted(value))), [value, painted])
  return painted
}
