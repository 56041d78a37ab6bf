import { failure, type Result, success } from '#lib/result.ts'
import { hourMs, minuteMs } from '#lib/time.ts'
import type { Services } from '../context.ts'
import { audit } from '../observability/audit.ts'
import { createLink } from './mailed-links.ts'
import { hashOf } from './stored-hash.ts'

export const linkLifeMs = 10 * minuteMs
export const sessionLifeMs = 12 * hourMs

type Tools = Pick<Services, 'db' | 'clock' | 'random' | 'publicUrl' | 'keys'>

export interface OperatorSession {
  readonly id: string
  readonly name: string
}

export type FoundOperator = OperatorSession | 'second_factor_required' | undefined

export interface LinkRequest {
  /** Name of the operator: letters, digits and separators. */
  readonly name: string
  /** The operating system's user. */
  readonly actor: string
}

const namePattern = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,39}$/u

/** Creates a one-time link to `/ops`. Browsers never send the token after `#`; only its hash is stored. */
export async function createOperatorLink(
  services: Services,
  { name, actor }: LinkRequest,
): Promise<Result<{ link: string; expiresAt: string }, 'invalid_name'>> {
  if (!namePattern.test(name)) return failure('invalid_name')
  const { token, hash, expiresAt } = createLink(services, linkLifeMs)
  const at = services.clock.now()
  await services.db.transaction(async tx => {
    await tx.query('insert into operator_link (hash, name, created_at, expires_at) values ($1, $2, $3, $4)', [
      hash,
      name,
      at,
      expiresAt,
    ])
    await audit(tx, { at, actor, action: 'ops_link', subject: 'ops', detail: { name } })
  })
  return success({ link: `${services.publicUrl}/ops#sign-in=${token}`, expiresAt: expiresAt.toISOString() })
}

/** Redeems a link. Without a second factor it stays valid. @returns the cookie's value, which is not stored */
export async function claimOperatorLink(
  { db, clock, random, keys }: Tools,
  token: string,
  sessionId: string | undefined,
): Promise<Result<string, 'link_expired' | 'second_factor_required'>> {
  const now = clock.now()
  const secret = Buffer.from(random.bytes(32)).toString('base64url')
  return db.transaction(async tx => {
    const secured = await tx.query('select 1 from session where id = $1 and second_factor_at is not null', [
      sessionId ?? null,
    ])
    if (secured.length === 0) return failure('second_factor_required')
    const [link] = await tx.query<{ name: string }>(
      `update operator_link set used_at = $2 where hash = $1 and used_at is null and expires_at > $2 returning name`,
      [hashOf(keys.stored, token), now],
    )
    if (link === undefined) return failure('link_expired')
    await tx.query(
      'insert into operator_session (id, hash, name, created_at, expires_at, session_id) values ($1, $2, $3, $4, $5, $6)',
      [
        random.uuid(),
        hashOf(keys.stored, secret),
        link.name,
        now,
        new Date(now.getTime() + sessionLifeMs),
        sessionId ?? null,
      ],
    )
    return success(secret)
  })
}

/** @returns undefined for an unknown or expired cookie, or when the session that opened it is over */
export async function findOperatorSession(
  { db, clock, keys }: Tools,
  cookie: string,
): Promise<FoundOperator> {
  const [found] = await db.query<OperatorSession & { secured: boolean; alive: boolean }>(
    `select operator_session.id, name, session.second_factor_at is not null as secured,
       exists (select from refresh_token where family = session.id and revoked_at is null) as alive
     from operator_session left join session on session.id = session_id
     where hash = $1 and ended_at is null and expires_at > $2`,
    [hashOf(keys.stored, cookie), clock.now()],
  )
  if (found === undefined) return undefined
  const { id, name, secured, alive } = found
  if (!secured) return 'second_factor_required'
  return alive ? { id, name } : undefined
}

export async function endOperatorSession({ db, clock }: Tools, id: string): Promise<boolean> {
  const ended = await db.query(
    'update operator_session set ended_at = $2 where id = $1 and ended_at is null returning id',
    [id, clock.now()],
  )
  return ended.length === 1
}

export interface ListedSession extends OperatorSession {
  readonly since: string
  readonly until: string
}

export async function listOperatorSessions({ db, clock }: Tools): Promise<ListedSession[]> {
  const rows = await db.query<{ id: string; name: string; created_at: Date; expires_at: Date }>(
    `select id, name, created_at, expires_at from operator_session where ended_at is null and expires_at > $1
     order by created_at, id`,
    [clock.now()],
  )
  return rows.map(({ id, name, created_at, expires_at }) => ({
    id,
    name,
    since: created_at.toISOString(),
    until: expires_at.toISOString(),
  }))
}

/** Ends one session or all, and voids unused links. @param id null: all */
export async function endOperatorSessions(
  { db, clock }: Tools,
  { id, actor }: { readonly id: string | null; readonly actor: string },
): Promise<Result<{ ended: number }, 'unknown_session'>> {
  const at = clock.now()
  return db.transaction(async tx => {
    const ended = await tx.query(
      `update operator_session set ended_at = $1
       where ended_at is null and expires_at > $1 and ($2::uuid is null or id = $2::uuid) returning id`,
      [at, id],
    )
    if (id !== null && ended.length === 0) return failure('unknown_session')
    if (id === null) await tx.query('update operator_link set used_at = $1 where used_at is null', [at])
    await audit(tx, { at, actor, action: 'ops_end', subject: 'ops', detail: { id, ended: ended.length } })
    return success({ ended: ended.length })
  })
}
