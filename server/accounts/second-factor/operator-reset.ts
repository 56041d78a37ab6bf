import { failure, type Result, success } from '#lib/result.ts'
import type { Services } from '../../context.ts'
import { endAllSessions } from '../../identity/refresh-token.ts'
import { findUserByEmail, lockUser } from '../../identity/users.ts'
import { inLanguage } from '../../languages/languages.ts'
import { queueEmail } from '../../mail/queue-email.ts'
import { audit } from '../../observability/audit.ts'
import { reportSecurityEvent } from '../../observability/security-events.ts'
import { dropFactors, hasSecondFactor } from './factors.ts'
import { secondFactorEmail } from './second-factor-emails.ts'

/** Ends every session and notifies the owner, in case somebody else talked an operator into this. */
export async function resetSecondFactor(
  services: Services,
  { email, actor }: { readonly email: string; readonly actor: string },
): Promise<Result<{ devices: number }, 'unknown_account' | 'no_second_factor'>> {
  const found = await findUserByEmail(services.db, email)
  if (found === undefined) return failure('unknown_account')
  const done = await services.db.transaction(async tx => {
    const user = await lockUser(tx, found.id)
    if (user?.deleted_at !== null) return failure('unknown_account')
    if (!(await hasSecondFactor(tx, user.id))) return failure('no_second_factor')
    const at = services.clock.now()
    await dropFactors(tx, user.id)
    const devices = await endAllSessions(tx, user.id, at)
    const key = `second-factor-reset:${services.random.uuid()}`
    await inLanguage(user.language, () =>
      queueEmail(tx, key, user.email, secondFactorEmail(services.publicUrl, { what: 'reset', at }), at),
    )
    await audit(tx, { at, actor, action: 'reset_second_factor', subject: user.id, detail: { devices } })
    return success({ devices })
  })
  if (done.ok) reportSecurityEvent(services, 'second_factor_reset', { email: found.email })
  return done
}
