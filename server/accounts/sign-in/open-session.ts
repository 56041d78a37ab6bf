import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { signAccessToken } from '../../identity/access-token.ts'
import { type DeviceName, unknownDevice } from '../../identity/device-name.ts'
import {
  type IssuedRefreshToken,
  type SessionTools,
  type SignInProof,
  startSession,
} from '../../identity/refresh-token.ts'
import { queueNotice } from '../../mail/queue-email.ts'
import { newSignInEmail } from './sign-in-emails.ts'

export interface SignedIn {
  readonly accessToken: string
  readonly refresh: IssuedRefreshToken
}

/** The user must be locked. Notifies the owner, unless it is the first sign-in or a known device name. */
export async function openSession(
  tx: Db,
  services: Services,
  user: { readonly id: string; readonly email: string },
  device: DeviceName,
  proof: SignInProof,
): Promise<IssuedRefreshToken> {
  const known = await tx.query<{ device: string }>(
    'select distinct device from session where user_id = $1 and device <> $2',
    [user.id, unknownDevice.name],
  )
  const session = await startSession(tx, sessionTools(services), user.id, device, proof)
  if (known.length > 0 && known.every(({ device: name }) => name !== device.name)) {
    const at = services.clock.now()
    const template = () => newSignInEmail(services.publicUrl, { device: device.name, at })
    const { id: userId, email: to } = user
    await queueNotice(tx, services, { kind: 'new-sign-in', userId, to, name: session.sessionId, template })
  }
  return session
}

export async function issue(services: Services, refreshToken: IssuedRefreshToken): Promise<SignedIn> {
  const { keys, clock, accessTokenSeconds } = services
  const { userId, sessionId } = refreshToken
  const accessToken = await signAccessToken(keys.access, userId, clock, accessTokenSeconds, sessionId)
  return { accessToken, refresh: refreshToken }
}

export function sessionTools({ clock, random, keys }: Services): SessionTools {
  return { clock, random, keys }
}
