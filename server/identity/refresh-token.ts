import { createHash, createHmac } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Db } from '../db/port.ts'
import type { Random } from '../random.ts'

/** reliability.md 'Sign-in': 14 days idle, 30 days in all, 20 s in which two tabs may both rotate. */
const idleMs = 14 * 24 * 3600 * 1000
export const sessionMs = 30 * 24 * 3600 * 1000
const graceMs = 20_000

export interface SessionTools {
  readonly clock: Clock
  readonly random: Random
  readonly key: Uint8Array
}

export interface IssuedRefreshToken {
  readonly userId: string
  readonly token: string
  readonly expiresAt: Date
}

/** Starts a family: one sign-in on one device. The token is opaque and stored only as its hash. */
export async function startSession(db: Db, tools: SessionTools, userId: string): Promise<IssuedRefreshToken> {
  const now = tools.clock.now()
  const token = Buffer.from(tools.random.bytes(32)).toString('base64url')
  const sessionEnds = new Date(now.getTime() + sessionMs)
  return store(db, { token, userId, family: tools.random.uuid(), now, sessionEnds })
}

/**
 * Exchanges a token for its successor, or gives undefined when it is unknown, expired or revoked.
 * The successor is derived from the token, so that a second tab that asks within the grace gets the
 * very same one. A token used again after the grace is a stolen one: its whole family ends.
 */
export async function rotateSession(
  db: Db,
  tools: SessionTools,
  token: string,
): Promise<IssuedRefreshToken | undefined> {
  return db.transaction(async tx => {
    const now = tools.clock.now()
    await lockOwner(tx, token)
    const [row] = await tx.query<{
      user_id: string
      family: string
      used_at: Date | null
      session_ends_at: Date
    }>(
      `select user_id, family, used_at, session_ends_at from refresh_token
       where hash = $1 and expires_at > $2 and revoked_at is null`,
      [hashOf(token), now],
    )
    if (row === undefined) return undefined
    if (row.used_at !== null && now.getTime() - row.used_at.getTime() > graceMs) {
      await revokeFamily(tx, row.family, now)
      return undefined
    }
    await tx.query('update refresh_token set used_at = coalesce(used_at, $2) where hash = $1', [
      hashOf(token),
      now,
    ])
    const successor = createHmac('sha256', tools.key).update(token).digest('base64url')
    return store(tx, {
      token: successor,
      userId: row.user_id,
      family: row.family,
      now,
      sessionEnds: row.session_ends_at,
    })
  })
}

/** Ends the session that a token belongs to, on this device only. An unknown token is no error. */
export async function endSession(db: Db, tools: SessionTools, token: string): Promise<void> {
  await db.transaction(async tx => {
    await lockOwner(tx, token)
    const [row] = await tx.query<{ family: string }>('select family from refresh_token where hash = $1', [
      hashOf(token),
    ])
    if (row !== undefined) await revokeFamily(tx, row.family, tools.clock.now())
  })
}

/** One change of a user's sessions at a time: a successor born during a logout would survive it. */
async function lockOwner(tx: Db, token: string): Promise<void> {
  await tx.query(
    `select id from app_user where id = (select user_id from refresh_token where hash = $1) for update`,
    [hashOf(token)],
  )
}

/** Ends every session of a user. */
export async function endAllSessions(db: Db, userId: string, now: Date): Promise<void> {
  await db.query('update refresh_token set revoked_at = $2 where user_id = $1 and revoked_at is null', [
    userId,
    now,
  ])
}

async function revokeFamily(db: Db, family: string, now: Date): Promise<void> {
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

async function store(db: Db, next: NewToken): Promise<IssuedRefreshToken> {
  const expiresAt = new Date(Math.min(next.now.getTime() + idleMs, next.sessionEnds.getTime()))
  await db.query(
    `insert into refresh_token (hash, user_id, family, created_at, expires_at, session_ends_at)
     values ($1, $2, $3, $4, $5, $6) on conflict (hash) do nothing`,
    [hashOf(next.token), next.userId, next.family, next.now, expiresAt, next.sessionEnds],
  )
  return { userId: next.userId, token: next.token, expiresAt }
}

/** Random tokens need no slow hash: what is stored cannot be used as a token, and that is the point. */
export function hashOf(token: string): Uint8Array {
  return createHash('sha256').update(token).digest()
}
