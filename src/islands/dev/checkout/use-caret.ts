import { useLayoutEffect, useRef } from 'react'
import { cardDigits } from '#lib/money/payment-card.ts'

/**
 * Keeps the caret behind the same digit when a field is reformatted; React would move it to the end.
 * @returns a function to call with the input on each change, before its value is set
 */
export function useCaret(value: string): (input: HTMLInputElement) => void {
  const kept = useRef<{ readonly input: HTMLInputElement; readonly digits: number } | null>(null)
  useLayoutEffect(() => {
    if (kept.current === null) return
    const { input, digits } = kept.current
    kept.current = null
    let at = 0
    for (let seen = 0; seen < digits && at < value.length; at += 1) if (/\d/.test(value[at] ?? '')) seen += 1
    input.setSelectionRange(at, at)
  }, [value])
  return input => {
    const caret = input.selectionStart ?? input.value.length
    kept.current =
      caret === input.value.length ? null : { input, digits: cardDigits(input.value.slice(0, caret)).length }
  }
}
