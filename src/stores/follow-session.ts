import { tokenClaims } from '#lib/rules/session.ts'
import { $session, type Session } from './session.ts'

/** The id of the user that is signed in; null for a visitor, and while nobody knows. */
export function userOf(session: Session): string | null {
  if (session.status !== 'signed_in') return null
  const claims = tokenClaims(session.token)
  return claims !== null && 'sub' in claims && typeof claims.sub === 'string' ? claims.sub : session.token
}

/**
 * Calls when it is another user's turn, here or by another tab: signed out, signed in after that, or signed in as
 * somebody else with no sign-out between. `$session` is the new one by then. Not for how a page begins, and not
 * when the same user's token is renewed.
 * @returns stops it
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
