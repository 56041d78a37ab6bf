import type { RequestOutput } from '#lib/api/endpoint.ts'
import type { heardAbout, Profile } from '#lib/api/profile.ts'
import { microUsdToUsd } from '#lib/money/money.ts'
import type { Services } from '../../context.ts'
import { type UnredeemedGift, unredeemedGifts } from '../../payments/payments.ts'
import { findHeldCredits } from '../deletion/held-credits.ts'

interface ProfileRow {
  readonly name: string | null
  readonly email: string
  readonly email_verified_at: Date | null
  readonly pending_email: string | null
  readonly has_password: boolean
  readonly google: string | null
  readonly created_at: Date
  /** Micro-dollars. */
  readonly balance: number
  readonly has_saved_payment_method: boolean
  readonly brand: string | null
  readonly last4: string | null
  readonly auto_topup_enabled: boolean
}

export async function findProfile({ db, clock }: Services, userId: string): Promise<Profile | undefined> {
  const [row] = await db.query<ProfileRow>(
    `select app_user.name, app_user.email, email_verified_at, email_change.email as pending_email,
       password_hash is not null as has_password,
       (select email from google_identity where user_id = app_user.id order by created_at desc limit 1) as google,
       app_user.created_at, balance, has_saved_payment_method,
       brand, last4, auto_topup_enabled
     from app_user join account on account.user_id = app_user.id
       left join saved_card on saved_card.user_id = app_user.id
       left join email_change on email_change.user_id = app_user.id and used_at is null and expires_at > $2
     where app_user.id = $1 and deleted_at is null`,
    [userId, clock.now()],
  )
  return row && presentProfile(row, await findHeldCredits(db, userId), await unredeemedGifts(db, userId))
}

/** @param held micro-dollars waiting for review */
function presentProfile(row: ProfileRow, held: number, booklets: readonly UnredeemedGift[]): Profile {
  return {
    name: row.name,
    email: row.email,
    emailVerified: row.email_verified_at !== null,
    pendingEmail: row.pending_email,
    hasPassword: row.has_password,
    google: row.google,
    memberSince: row.created_at.toISOString(),
    credits: microUsdToUsd(row.balance),
    heldCredits: microUsdToUsd(held),
    booklets: booklets.map(({ amountMicroUsd, ...gift }) => ({
      ...gift,
      amount: microUsdToUsd(amountMicroUsd),
    })),
    savedCard: row.has_saved_payment_method ? { brand: row.brand, last4: row.last4 } : null,
    autoTopUpEnabled: row.auto_topup_enabled,
  }
}

/** @param name clean (`personName`); empty removes it */
export async function changeName({ db }: Services, userId: string, name: string): Promise<void> {
  await db.query('update app_user set name = $2 where id = $1', [userId, name === '' ? null : name])
}

/** Stores where a user heard about us, or that they declined to say. The first answer stays. */
export async function keepHeardAbout(
  { db, clock }: Services,
  userId: string,
  { source, detail }: RequestOutput<typeof heardAbout>['body'],
): Promise<void> {
  const detailText = source === null || detail === undefined || detail === '' ? null : detail
  await db.query(
    `update app_user set heard_about = $2, heard_about_detail = $3, heard_about_at = $4
     where id = $1 and heard_about_at is null`,
    [userId, source, detailText, clock.now()],
  )
}
