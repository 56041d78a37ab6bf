import { createHmac } from 'node:crypto'
import { dayMs } from '#lib/time.ts'
import type { Db } from '../db/port.ts'
import type { Clock } from '../process/clock.ts'
import type { Random } from '../process/random.ts'
import type { Keys } from '../process/secret.ts'
import { type DeviceName, unknownDevice } from './device-name.ts'
import { hashOf } from './stored-hash.ts'

/** 14 days idle, 30 days in all, 20 s grace in which two tabs may both rotate (REL-51). */
const idleMs = 14 * dayMs
export const sessionMs = 30 * dayMs
const graceMs = 20_000

export interface SessionTools {
  readonly clock: Clock
  readonly random: Random
  readonly keys: Pick<Keys, 'refresh' | 'stored'>
}

export interface IssuedRefreshToken {
  readonly userId: string
  readonly sessionId: string
  readonly token: string
  readonly expiresAt: Date
}

/** A token reused after its grace period, which ended its session. */
export interface Replay {
  readonly userId: string
  readonly sessionId: string
  readonly at: Date
}

export interface SignInProof {
  /** When the user proved their identity; null: they did not, or the time is unknown. */
  readonly provedAt: Date | null
  /** When the user passed a second factor; null: never. */
  readonly secondFactorAt: Date | null
}

const nothingShown: SignInProof = { provedAt: null, secondFactorAt: null }

/** Starts a family. Only a keyed hash of the opaque token is stored, so a new secret ends all sessions. */
export async function startSession(
  db: Db,
  tools: SessionTools,
  userId: string,
  device: DeviceName = unknownDevice,
  proof: SignInProof = nothingShown,
): Promise<IssuedRefreshToken> {
  const now = tools.clock.now()
  const token = Buffer.from(tools.random.bytes(32)).toString('base64url')
  const sessionEnds = new Date(now.getTime() + sessionMs)
  const next = { token, userId, family: tools.random.uuid(), now, sessionEnds }
  await noteDevice(db, next, device, proof)
  return store(db, tools, next)
}

/**
 * Within the grace period, a second tab gets the same unused successor. Later reuse means theft: the family ends.
 * @param onReplay called once for each family, in the transaction that ends it
 * @returns undefined when the token is unknown, expired or revoked
 */
export async function rotateSession(
  db: Db,
  tools: SessionTools,
  token: string,
  device: DeviceName = unknownDevice,
  onReplay?: (tx: Db, replay: Replay) => Promise<void>,
): Promise<IssuedRefreshToken | undefined> {
  return db.transaction(async tx => {
    const now = tools.clock.now()
    const hash = hashOf(tools.keys.stored, token)
    await lockOwner(tx, hash)
    const [row] = await tx.query<{
      user_id: string
      family: string
      expires_at: Date
      used_at: Date | null
      session_ends_at: Date
    }>(
      `select user_id, family, expires_at, used_at, session_ends_at from refresh_token
       where hash = $1 and session_ends_at > $2 and revoked_at is null`,
      [hash, now],
    )
    if (row === undefined) return undefined
    if (row.used_at !== null && isPastGrace(row.used_at, now)) {
      await revokeFamily(tx, row.family, now)
      await onReplay?.(tx, { userId: row.user_id, sessionId: row.family, at: now })
      return undefined
    }
    if (row.expires_at <= now) return undefined
    await tx.query('update refresh_token set used_at = coalesce(used_at, $2) where hash = $1', [hash, now])
    const next = {
      token: row.used_at === null ? successor(tools, token) : await newestOf(tx, tools, token),
      userId: row.user_id,
      family: row.family,
      now,
      sessionEnds: row.session_ends_at,
    }
    await noteDevice(tx, next, device)
    return store(tx, tools, next)
  })
}

function successor({ keys }: SessionTools, token: string): string {
  return createHmac('sha256', keys.refresh).update(token).digest('base64url')
}

/** Follows successors to the unused one. A late answer to one tab must not put a used token into the browser. */
async function newestOf(tx: Db, tools: SessionTools, token: string): Promise<string> {
  const next = successor(tools, token)
  const [exchanged] = await tx.query('select 1 from refresh_token where hash = $1 and used_at is not null', [
    hashOf(tools.keys.stored, next),
  ])
  return exchanged === undefined ? next : newestOf(tx, tools, next)
}

/** Absolute, in case the clock was set back. */
function isPastGrace(usedAt: Date, now: Date): boolean {
  return Math.abs(now.getTime() - usedAt.getTime()) > graceMs
}

/** Ends the session of a token, on this device only. An unknown token is no error. */
export async function endSession(db: Db, tools: SessionTools, token: string): Promise<void> {
  const hash = hashOf(tools.keys.stored, token)
  await db.transaction(async tx => {
    await lockOwner(tx, hash)
    const [row] = await tx.query<{ family: string }>('select family from refresh_token where hash = $1', [
      hash,
    ])
    if (row !== undefined) await revokeFamily(tx, row.family, tools.clock.now())
  })
}

/** Allows one change of a user's sessions at a time: a successor created during a logout would survive it. */
async function lockOwner(tx: Db, hash: Uint8Array): Promise<void> {
  await tx.query(
    `select id from app_user where id = (select user_id from refresh_token where hash = $1) for update`,
    [hash],
  )
}

/** Ends every session and unfinished sign-in, except `but`. The user must be locked. @returns how many were live */
export async function endAllSessions(db: Db, userId: string, now: Date, but?: string): Promise<number> {
  await db.query('delete from sign_in_step where user_id = $1', [userId])
  const ended = await db.query<{ family: string; live: boolean }>(
    `update refresh_token set revoked_at = $2
     where user_id = $1 and revoked_at is null and family is distinct from $3::uuid
     returning family, expires_at > $2 as live`,
    [userId, now, but ?? null],
  )
  return new Set(ended.filter(({ live }) => live).map(({ family }) => family)).size
}

/** Ends one session. Lock its user first, or a successor created meanwhile survives. */
export async function revokeFamily(db: Db, family: string, now: Date): Promise<void> {
  await db.query('update refresh_token set revoked_at = $2 where family = $1 and revoked_at is null', [
    family,
    now,
  ])
}

interface NewToken {
  readonly token: string
  readonly userId: string
  readonly family: string
  readonly now: Date
  readonly sessionEnds: Date
}

async function store(db: Db, { keys }: SessionTools, next: NewToken): Promise<IssuedRefreshToken> {
  const expiresAt = new Date(Math.min(next.now.getTime() + idleMs, next.sessionEnds.getTime()))
  await db.query(
    `insert into refresh_token (hash, user_id, family, created_at, expires_at, session_ends_at)
     values ($1, $2, $3, $4, $5, $6) on conflict (hash) do nothing`,
    [hashOf(keys.stored, next.token), next.userId, next.family, next.now, expiresAt, next.sessionEnds],
  )
  return { userId: next.userId, sessionId: next.family, token: next.token, expiresAt }
}

/** Records activity of a session. A session older than this table gets its name from its first activity. */
async function noteDevice(
  db: Db,
  { family, userId, now }: Pick<NewToken, 'family' | 'userId' | 'now'>,
  device: DeviceName,
  { provedAt, secondFactorAt }: SignInProof = nothingShown,
): Promise<void> {
  await db.query(
    `insert into session (id, user_id, device, kind, signed_in_at, last_seen_at, proved_at, second_factor_at)
     values ($1, $2, $3, $4, $5, $5, $7, $8)
     on conflict (id) do update set last_seen_at = greatest(session.last_seen_at, excluded.last_seen_at),
       device = case when session.device = $6 then excluded.device else session.device end,
       kind = case when session.device = $6 then excluded.kind else session.kind end`,
    [family, userId, device.name, device.kind, now, unknownDevice.name, provedAt, secondFactorAt],
  )
}
