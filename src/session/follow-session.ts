import { $session, type Session } from './session.ts'
import { tokenClaims } from './token-claims.ts'

/** The id of the signed-in user; null for a visitor and while unknown. */
export function userOf(session: Session): string | null {
  if (session.status !== 'signed_in') return null
  const claims = tokenClaims(session.token)
  return claims !== null && 'sub' in claims && typeof claims.sub === 'string' ? claims.sub : session.token
}

/** Call it before a request. @returns whether the user is still the same */
export function rememberUser(): () => boolean {
  const user = userOf($session.get())
  return () => userOf($session.get()) === user
}

/**
 * Calls back when the user changes, here or in another tab; not for the page's first session or a token renewal.
 * `$session` is already the new one. @returns stops following
 */
export function followSession(onOther: () => void): () => void {
  let begun = $session.get().status !== 'loading'
  let user = userOf($session.get())
  return $session.listen(session => {
    const now = userOf(session)
    const other = begun && now !== user
    begun = true
    user = now
    if (other) onOther()
  })
}
