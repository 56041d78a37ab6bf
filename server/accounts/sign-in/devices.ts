import type { Device } from '#lib/api/profile.ts'
import type { Services } from '../../context.ts'
import { deviceText } from '../../identity/device-name.ts'
import { endAllSessions, revokeFamily } from '../../identity/refresh-token.ts'
import { type Known, lockKnown } from '../password/current-password.ts'

interface SessionRow {
  readonly id: string
  readonly device: string
  readonly kind: Device['kind']
  readonly signed_in_at: Date
  readonly last_seen_at: Date
}

/** The devices that a user is signed in on: the requesting one first, then by last activity. */
export async function listDevices(
  { db, clock }: Services,
  userId: string,
  currentId: string | undefined,
): Promise<Device[]> {
  const rows = await db.query<SessionRow>(
    `select id, device, kind, signed_in_at, last_seen_at from session
     where user_id = $1 and exists (
       select 1 from refresh_token where family = session.id and revoked_at is null and expires_at > $2)
     order by id = $3::uuid desc nulls last, last_seen_at desc, id`,
    [userId, clock.now(), currentId ?? null],
  )
  return rows.map(row => ({
    id: row.id,
    name: deviceText(row.device),
    kind: row.kind,
    signedInAt: row.signed_in_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    current: row.id === currentId,
  }))
}

/**
 * Signs out one of a user's devices; one already signed out is no error.
 * @returns false if the device is not theirs; undefined if the password changed meanwhile
 */
export async function signOutDevice(
  services: Services,
  userId: string,
  id: string,
  known: Known,
): Promise<boolean | undefined> {
  return services.db.transaction(async tx => {
    if ((await lockKnown(tx, userId, known)) === undefined) return undefined
    const [own] = await tx.query('select 1 from session where id::text = $1 and user_id = $2', [id, userId])
    if (own === undefined) return false
    await revokeFamily(tx, id, services.clock.now())
    return true
  })
}

/** Signs out every device but the requesting one. @returns false if the password changed meanwhile */
export async function signOutOthers(
  { db, clock }: Services,
  userId: string,
  currentId: string | undefined,
  known: Known,
): Promise<boolean> {
  return db.transaction(async tx => {
    if ((await lockKnown(tx, userId, known)) === undefined) return false
    await endAllSessions(tx, userId, clock.now(), currentId)
    return true
  })
}
