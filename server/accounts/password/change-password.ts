import { type Result, success } from '#lib/result.ts'
import type { Services } from '../../context.ts'
import { voidLinks } from '../../identity/mailed-links.ts'
import { hashPassword } from '../../identity/passwords.ts'
import { endAllSessions } from '../../identity/refresh-token.ts'
import { findUser } from '../../identity/users.ts'
import { weakPasswordMessage } from '../../identity/weak-password.ts'
import { queueNotice } from '../../mail/queue-email.ts'
import {
  type AskedFrom,
  knowsPassword,
  lockKnown,
  type WrongPassword,
  wrongPassword,
} from './current-password.ts'
import { passwordChangedEmail } from './password-emails.ts'
import type { WeakPassword } from './password-reset.ts'

/**
 * Ends every other session and voids every mailed link, also of a pending change of address. Google stays linked.
 * @param current empty where the account has none yet
 * @param from the requesting session, which stays
 */
export async function changePassword(
  services: Services,
  userId: string,
  { current, next }: { readonly current: string; readonly next: string },
  from: AskedFrom,
): Promise<Result<undefined, never> | WrongPassword | WeakPassword> {
  const email = (await findUser(services.db, userId))?.email ?? ''
  const message = weakPasswordMessage(next, email)
  if (message !== undefined) return { ok: false, code: 'weak_password', message }
  const shown = await knowsPassword(services, userId, current, from)
  if (!shown.ok) return shown
  const known = shown.value
  const passwordHash = await hashPassword(next)
  return services.db.transaction(async tx => {
    const at = services.clock.now()
    const user = await lockKnown(tx, userId, known)
    if (user === undefined) return wrongPassword()
    await tx.query('update app_user set password_hash = $2 where id = $1', [userId, passwordHash])
    await endAllSessions(tx, userId, at, from.sessionId)
    await voidLinks(tx, userId, at)
    const template = () =>
      passwordChangedEmail(services.publicUrl, known.passwordHash === null ? 'first' : 'changed')
    const name = services.random.uuid()
    await queueNotice(tx, services, { kind: 'password-changed', userId, to: user.email, name, template })
    return success(undefined)
  })
}
