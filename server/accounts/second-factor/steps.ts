import { minuteMs } from '#lib/time.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { hashOf } from '../../identity/stored-hash.ts'

/** Long enough to find a phone, or a sheet of recovery codes. */
export const stepMs = 10 * minuteMs

export type StepKind = 'second_factor' | 'passkey' | 'new_passkey'

export interface Step {
  readonly kind: StepKind
  readonly userId: string | null
  readonly challenge: string | null
}

type Tools = Pick<Services, 'random' | 'clock' | 'keys'>

/** Stores a browser's current step. @returns the cookie's value, which is not stored */
export async function beginStep(
  db: Db,
  { random, clock, keys }: Tools,
  { kind, userId, challenge }: Step,
): Promise<string> {
  const token = Buffer.from(random.bytes(32)).toString('base64url')
  await db.query(
    `insert into sign_in_step (hash, kind, user_id, challenge, expires_at) values ($1, $2, $3, $4, $5)`,
    [hashOf(keys.stored, token), kind, userId, challenge, new Date(clock.now().getTime() + stepMs)],
  )
  return token
}

/** @returns undefined where the step has expired or was used */
export async function findStep(
  db: Db,
  { clock, keys }: Tools,
  token: string | undefined,
): Promise<Step | undefined> {
  if (token === undefined) return undefined
  const [step] = await db.query<Step>(
    `select kind, user_id as "userId", challenge from sign_in_step
     where hash = $1 and expires_at > $2`,
    [hashOf(keys.stored, token), clock.now()],
  )
  return step
}

export async function setChallenge(db: Db, { keys }: Tools, token: string, challenge: string): Promise<void> {
  await db.query('update sign_in_step set challenge = $2 where hash = $1', [
    hashOf(keys.stored, token),
    challenge,
  ])
}

/** Redeems a step. @returns whether it was still open */
export async function endStep(tx: Db, { clock, keys }: Tools, token: string): Promise<boolean> {
  const ended = await tx.query(
    'delete from sign_in_step where hash = $1 and expires_at > $2 returning kind',
    [hashOf(keys.stored, token), clock.now()],
  )
  return ended.length === 1
}
