/** W3C Audio Session, in Safari from 16.4. TypeScript does not know it. */
interface AudioSession {
  type: 'auto' | 'play-and-record'
}

/**
 * Tells an iPhone that the page speaks and listens at once, as a call does: by itself it guesses from what plays first.
 * Does nothing in other browsers.
 * @returns to be called at the end of the call
 */
export function beginAudioSession(): () => void {
  const session = (navigator as { readonly audioSession?: AudioSession }).audioSession
  if (session === undefined) return () => undefined
  session.type = 'play-and-record'
  return () => {
    session.type = 'auto'
  }
}
