import { failure, type Result, success } from '#lib/result.ts'
import type { Services } from '../context.ts'
import { endAllSessions } from '../identity/refresh-token.ts'
import { findUserByEmail, lockUser } from '../identity/users.ts'
import { audit } from '../observability/audit.ts'

export interface SignOutRequest {
  readonly email: string
  /** The operating system's user. */
  readonly actor: string
}

/** Ends every session. Running calls go on. @returns how many devices were signed out */
export async function signOutAccount(
  services: Services,
  { email, actor }: SignOutRequest,
): Promise<Result<{ devices: number }, 'unknown_account'>> {
  const found = await findUserByEmail(services.db, email)
  if (found === undefined) return failure('unknown_account')
  return services.db.transaction(async tx => {
    const user = await lockUser(tx, found.id)
    if (user?.deleted_at !== null) return failure('unknown_account')
    const at = services.clock.now()
    const devices = await endAllSessions(tx, user.id, at)
    await audit(tx, { at, actor, action: 'sign_out', subject: user.id, detail: { devices } })
    return success({ devices })
  })
}
