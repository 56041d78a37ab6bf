import { failure, type Result, success } from '#lib/result.ts'
import type { GoogleNews } from '#lib/rules/google-sign-in.ts'
import type { Db } from '../db/port.ts'
import type { DeviceName } from '../identity/device-name.ts'
import type { GoogleIdentity } from '../identity/google/port.ts'
import type { IssuedRefreshToken } from '../identity/refresh-token.ts'
import { googleLinkedLetter, setAsideLetter } from '../mail/google-letters.ts'
import { confirmAddress } from './confirmation.ts'
import type { Services } from './context.ts'
import { queueLetter } from './queue-letter.ts'
import { createUser } from './register.ts'
import { openSession } from './sign-in.ts'
import { takeBack } from './take-back.ts'

export interface GoogleSignedIn {
  readonly refresh: IssuedRefreshToken
  /** What the page tells its user beside that they are signed in; null when all is as expected. */
  readonly news: GoogleNews | null
}

export interface CameWith {
  /** What the referral script found; it counts for a new account, as at registering. */
  readonly referralId: string | null
  readonly device: DeviceName
}

interface Owner {
  readonly id: string
  readonly email: string
}

interface Found {
  readonly user: Owner
  readonly news: GoogleNews | null
}

/**
 * Signs in whoever Google says it is: the account that this subject signed in to before, whatever either address is by now.
 * Otherwise the one with Google's address, or a new one, if Google has confirmed that address (decision 28). Whether an account
 * may call is asked when it calls, as after any other sign-in.
 */
export async function signInWithGoogle(
  services: Services,
  identity: GoogleIdentity,
  { referralId, device }: CameWith,
): Promise<Result<GoogleSignedIn, 'google_unverified'>> {
  return services.db.transaction(async tx => {
    const found = await find(tx, services, identity, referralId)
    if (found === undefined) return failure('google_unverified')
    return success({ refresh: await openSession(tx, services, found.user, device), news: found.news })
  })
}

async function find(
  tx: Db,
  services: Services,
  identity: GoogleIdentity,
  referralId: string | null,
): Promise<Found | undefined> {
  const { email, emailVerified } = identity
  // Another turn where two came back at once, the other one was quicker, and the account is gone or shut by now.
  for (let turn = 0; turn < 3; turn += 1) {
    const known = await lockLinked(tx, identity)
    // What the quicker one of two did is done, and told.
    if (known !== undefined) return { user: known, news: null }
    if (email === null || !emailVerified) return undefined
    const found = await link(tx, services, { ...identity, email }, referralId)
    if (found !== undefined) return found
  }
  throw new Error('an identity was neither linked nor found')
}

/** The account that an identity opens, locked. Not one that it opened only until we had the lock. */
async function lockLinked(tx: Db, { issuer, subject }: GoogleIdentity): Promise<Owner | undefined> {
  const [user] = await tx.query<Owner>(
    `select id, email from app_user
     where id = (select user_id from google_identity where issuer = $1 and subject = $2) for update`,
    [issuer, subject],
  )
  if (user === undefined) return undefined
  // In a statement of its own: the one above looked before it waited for a deletion, or for a password chosen anew.
  const linked = await tx.query(
    'select 1 from google_identity where issuer = $1 and subject = $2 and user_id = $3',
    [issuer, subject, user.id],
  )
  return linked.length > 0 ? user : undefined
}

/** @returns undefined where another request has linked the identity meanwhile */
async function link(
  tx: Db,
  services: Services,
  { issuer, subject, email }: GoogleIdentity & { readonly email: string },
  referralId: string | null,
): Promise<Found | undefined> {
  const at = services.clock.now()
  const found = await accountOf(tx, services, email, referralId, at)
  const [linked] = await tx.query(
    `insert into google_identity (issuer, subject, user_id, email, created_at) values ($1, $2, $3, $4, $5)
     on conflict do nothing returning user_id`,
    [issuer, subject, found.user.id, email, at],
  )
  if (linked === undefined) return undefined
  const { publicUrl } = services
  const key = `google:${services.random.uuid()}`
  if (found.news === 'linked') await queueLetter(tx, key, email, googleLinkedLetter(publicUrl), at)
  if (found.news === 'set_aside') await queueLetter(tx, key, email, setAsideLetter(publicUrl, 'google'), at)
  return found
}

/** The account of an address whose owner is signing in: as it is, taken back from whoever began it, or new. Locked. */
async function accountOf(
  tx: Db,
  services: Services,
  email: string,
  referralId: string | null,
  at: Date,
): Promise<Found> {
  // Another turn where the account that was there took another address, or was deleted, meanwhile.
  for (let turn = 0; turn < 3; turn += 1) {
    const created = await createUser(tx, services, email, null)
    if (created !== undefined) {
      await confirmAddress(tx, services, { userId: created.id, code: referralId, at })
      return { user: { id: created.id, email }, news: null }
    }
    const [user] = await tx.query<{ id: string; email_verified_at: Date | null }>(
      'select id, email_verified_at from app_user where email = $1 for update',
      [email],
    )
    if (user === undefined) continue
    const owner = { id: user.id, email }
    if (user.email_verified_at !== null) return { user: owner, news: 'linked' }
    await takeBack(tx, user.id, at)
    await confirmAddress(tx, services, { userId: user.id, code: referralId, at })
    return { user: owner, news: 'set_aside' }
  }
  throw new Error('an account was neither created nor found')
}
