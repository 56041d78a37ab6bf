import { type Result, success } from '#lib/result.ts'
import { weakPasswordWords } from '../identity/common-passwords.ts'
import { hashPassword } from '../identity/passwords.ts'
import { endAllSessions } from '../identity/refresh-token.ts'
import { passwordChangedLetter } from '../mail/password-letters.ts'
import type { Services } from './context.ts'
import { knowsPassword, lockKnown, type WrongPassword, wrongPassword } from './current-password.ts'
import { voidLinks } from './mailed-links.ts'
import type { WeakPassword } from './password-reset.ts'
import { queueLetter } from './queue-letter.ts'
import { findUser } from './users.ts'

/**
 * Changes the password of somebody who is signed in. Every other session ends, and every link that was mailed is void, a
 * change of address that waits among them: whoever knew the old password has no more say. Google goes on signing in: who knew
 * the password sees in the profile which account of theirs that is.
 * @param current empty where the account has none yet
 * @param sessionId the session that asks, which stays
 */
export async function changePassword(
  services: Services,
  userId: string,
  { current, next }: { readonly current: string; readonly next: string },
  sessionId: string | undefined,
): Promise<Result<undefined, never> | WrongPassword | WeakPassword> {
  const email = (await findUser(services.db, userId))?.email ?? ''
  const message = weakPasswordWords(next, email)
  if (message !== undefined) return { ok: false, code: 'weak_password', message }
  const shown = await knowsPassword(services, userId, current, sessionId)
  if (!shown.ok) return shown
  const known = shown.value
  const passwordHash = await hashPassword(next)
  return services.db.transaction(async tx => {
    const at = services.clock.now()
    const user = await lockKnown(tx, userId, known)
    if (user === undefined) return wrongPassword
    await tx.query('update app_user set password_hash = $2 where id = $1', [userId, passwordHash])
    await endAllSessions(tx, userId, at, sessionId)
    await voidLinks(tx, userId, at)
    const letter = passwordChangedLetter(
      services.publicUrl,
      known.passwordHash === null ? 'first' : 'changed',
    )
    await queueLetter(tx, `password-changed:${services.random.uuid()}`, user.email, letter, at)
    return success(undefined)
  })
}
