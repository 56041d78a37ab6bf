import type { GoogleNotice } from '#lib/account/google-sign-in.ts'
import { failure, type Result, success } from '#lib/result.ts'
import { minuteMs } from '#lib/time.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import type { DeviceName } from '../../identity/device-name.ts'
import type { GoogleIdentity } from '../../identity/google/port.ts'
import type { IssuedRefreshToken } from '../../identity/refresh-token.ts'
import { queueEmail } from '../../mail/queue-email.ts'
import { confirmAddress } from '../registration/confirmation.ts'
import { reclaimAccount } from '../registration/reclaim-account.ts'
import { createUser } from '../registration/register.ts'
import { enter, type SecondStep } from '../second-factor/second-step.ts'
import { googleLinkedEmail, setAsideEmail } from './google-emails.ts'
import { vouchesFor } from './vouching.ts'

export interface GoogleSignedIn {
  readonly refresh: IssuedRefreshToken
  /** Shown to the user after signing in; null when all is as expected. */
  readonly notice: GoogleNotice | null
}

export interface CameWith {
  /** From the referral script; counts for a new account, as at registration. */
  readonly referralId: string | null
  readonly device: DeviceName
}

interface Owner {
  readonly id: string
  readonly email: string
}

interface Found {
  readonly user: Owner
  readonly notice: GoogleNotice | null
}

/**
 * Opens the account that this subject used before, whatever the addresses are now. Otherwise, if Google has verified
 * its address, opens that address's account or a new one (ADR-28). `google_connect`: Google does not vouch for the address of
 * an existing account, so its owner has to log in otherwise once (ADR-78).
 */
export async function signInWithGoogle(
  services: Services,
  identity: GoogleIdentity,
  { referralId, device }: CameWith,
): Promise<Result<GoogleSignedIn, 'google_unverified' | 'google_connect'> | SecondStep> {
  return services.db.transaction(async tx => {
    const found = await find(tx, services, identity, referralId)
    if (found === undefined) return failure('google_unverified')
    if (found === 'google_connect') return failure(found)
    const entered = await enter(tx, services, found.user, device, provedAt(services, identity))
    return entered.ok ? success({ refresh: entered.value, notice: found.notice }) : entered
  })
}

/** Max age of a login at Google that proves identity here. */
const freshMs = 5 * minuteMs
const skewMs = minuteMs

/** When the user proved who they are: their login at Google (ADR-53), not a press of a button there. */
export function provedAt(
  { clock }: Pick<Services, 'clock'>,
  { authenticatedAt }: GoogleIdentity,
): Date | null {
  const now = clock.now().getTime()
  const then = authenticatedAt?.getTime()
  if (then === undefined || then < now - freshMs || then > now + skewMs) return null
  return new Date(Math.min(then, now))
}

async function find(
  tx: Db,
  services: Services,
  identity: GoogleIdentity,
  referralId: string | null,
): Promise<Found | 'google_connect' | undefined> {
  const { email, emailVerified } = identity
  // Retry: of two concurrent requests the other may have won, and the account may be gone or closed.
  for (let turn = 0; turn < 3; turn += 1) {
    const known = await lockLinked(tx, identity)
    // The winning request has done the work and shown the notice.
    if (known !== undefined) return { user: known, notice: null }
    if (email === null || !emailVerified) return undefined
    const found = await link(tx, services, { ...identity, email }, referralId)
    if (found !== undefined) return found
  }
  throw new Error('an identity was neither linked nor found')
}

/** Locks the account that an identity opens, and checks that it still opens it. */
async function lockLinked(tx: Db, { issuer, subject }: GoogleIdentity): Promise<Owner | undefined> {
  const [user] = await tx.query<Owner>(
    `select id, email from app_user
     where id = (select user_id from google_identity where issuer = $1 and subject = $2) for update`,
    [issuer, subject],
  )
  if (user === undefined) return undefined
  // A separate statement: the first one read before it waited for a deletion or a password reset.
  const linked = await tx.query(
    'select 1 from google_identity where issuer = $1 and subject = $2 and user_id = $3',
    [issuer, subject, user.id],
  )
  return linked.length > 0 ? user : undefined
}

/** @returns undefined if another request linked the identity meanwhile */
async function link(
  tx: Db,
  services: Services,
  identity: GoogleIdentity & { readonly email: string },
  referralId: string | null,
): Promise<Found | 'google_connect' | undefined> {
  const { issuer, subject, email } = identity
  const at = services.clock.now()
  const found = await accountOf(tx, services, identity, referralId, at)
  if (found === 'google_connect') return found
  const [linked] = await tx.query(
    `insert into google_identity (issuer, subject, user_id, email, created_at) values ($1, $2, $3, $4, $5)
     on conflict do nothing returning user_id`,
    [issuer, subject, found.user.id, email, at],
  )
  if (linked === undefined) return undefined
  const { publicUrl } = services
  const key = `google:${services.random.uuid()}`
  if (found.notice === 'linked') await queueEmail(tx, key, email, googleLinkedEmail(publicUrl), at)
  if (found.notice === 'set_aside') await queueEmail(tx, key, email, setAsideEmail(publicUrl, 'google'), at)
  return found
}

/** Locks the account of an address: new, or one that Google may open: existing, or reclaimed from another registrant. */
async function accountOf(
  tx: Db,
  services: Services,
  identity: GoogleIdentity & { readonly email: string },
  referralId: string | null,
  at: Date,
): Promise<Found | 'google_connect'> {
  const { email } = identity
  // Retry: an existing account may have changed its address or been deleted meanwhile.
  for (let turn = 0; turn < 3; turn += 1) {
    const created = await createUser(tx, services, email, null)
    if (created !== undefined) {
      await confirmAddress(tx, services, { userId: created.id, code: referralId, at })
      return { user: { id: created.id, email }, notice: null }
    }
    const [user] = await tx.query<{ id: string; email_verified_at: Date | null }>(
      'select id, email_verified_at from app_user where email = $1 for update',
      [email],
    )
    if (user === undefined) continue
    if (!vouchesFor(identity)) return 'google_connect'
    const owner = { id: user.id, email }
    if (user.email_verified_at !== null) return { user: owner, notice: 'linked' }
    await reclaimAccount(tx, user.id, at)
    await confirmAddress(tx, services, { userId: user.id, code: referralId, at })
    return { user: owner, notice: 'set_aside' }
  }
  throw new Error('an account was neither created nor found')
}
