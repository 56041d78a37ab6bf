import { useEffect, useEffectEvent } from 'react'
import { typableDigits } from '#voice/digits.ts'
import { isCharacter, isShortcut, isTakenBy } from './key-stroke.ts'

/** During a call, sends digits typed or pasted anywhere on the page. */
export function useDigitKeys(active: boolean, onDigits: (text: string) => void): void {
  const send = useEffectEvent(onDigits)
  useEffect(() => {
    if (!active) return
    const listening = new AbortController()
    const { signal } = listening
    document.addEventListener(
      'keydown',
      event => {
        if (event.repeat || isShortcut(event) || isTakenBy(event.target)) return
        if (isCharacter(event) && typableDigits(event.key) !== '') send(event.key)
      },
      { signal },
    )
    document.addEventListener(
      'paste',
      event => {
        if (!isTakenBy(event.target)) send(event.clipboardData?.getData('text') ?? '')
      },
      { signal },
    )
    return () => listening.abort()
  }, [active])
}
