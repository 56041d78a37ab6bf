import type { Services } from '../../context.ts'
import { blockReasonText } from '../../identity/block-reason.ts'
import { presentReferee, type RefereeRow, refereeColumns, refereeTables } from '../../referrals/referrals.ts'
import { money, time } from './cells.ts'
import { type ExportRow, paged, paging } from './paged.ts'

interface AccountLine {
  readonly email: string
  readonly pending_email: string | null
  readonly name: string | null
  readonly language: string
  readonly created_at: Date
  readonly email_verified_at: Date | null
  readonly has_password: boolean
  readonly google_email: string | null
  readonly balance: number
  readonly can_call: boolean
  readonly blocked_reason: string | null
  readonly free_call: string
  readonly auto_topup_enabled: boolean
  readonly brand: string | null
  readonly last4: string | null
  readonly consented_at: Date | null
  readonly referral_code: string | null
  readonly came_by_link_at: Date | null
  readonly heard_about: string | null
  readonly heard_about_detail: string | null
}

export async function* readAccount(
  { db }: Services,
  userId: string,
  until: Date,
): AsyncGenerator<readonly ExportRow[]> {
  const rows = await db.query<AccountLine>(
    `select app_user.email, change.email as pending_email, app_user.name, app_user.language, app_user.created_at, email_verified_at,
       password_hash is not null as has_password,
       (select string_agg(email, ', ' order by created_at) from google_identity where user_id = $1) as google_email,
       balance, can_call, case when can_call then null else blocked_reason end as blocked_reason, free_call,
       auto_topup_enabled, brand, last4, consented_at, app_user.referral_code, joined_at as came_by_link_at,
       heard_about, heard_about_detail
     from app_user join account on account.user_id = app_user.id
       left join saved_card on saved_card.user_id = app_user.id
       left join referral on referee_id = app_user.id
       left join email_change change on change.user_id = app_user.id and used_at is null and expires_at > $2
     where app_user.id = $1 and deleted_at is null`,
    [userId, until],
  )
  yield rows.map(({ brand, last4, consented_at, balance, ...row }) => ({
    id: userId,
    ...row,
    created_at: time(row.created_at),
    email_verified_at: time(row.email_verified_at),
    ...money('balance', balance),
    blocked_reason: row.blocked_reason && blockReasonText(row.blocked_reason),
    saved_card_brand: brand,
    saved_card_last4: last4,
    saved_card_consented_at: time(consented_at),
    came_by_link_at: time(row.came_by_link_at),
  }))
}

/** As the page shows them, because referred users' addresses are private. */
export function readReferrals({ db, paymentPolicy }: Services, userId: string, until: Date) {
  return paged<RefereeRow & { sort_at: Date; sort_id: string }>(
    db,
    `select joined_at as sort_at, referee_id as sort_id, ${refereeColumns}
     from ${refereeTables(paymentPolicy.referral.minPaymentMicroUsd)}
     where referrer_id = $1 and ${paging('joined_at', 'referee_id')}`,
    userId,
    until,
    row => {
      const { email, joinedAt, state, dueAt } = presentReferee(row)
      return { email, joined_at: joinedAt, state, due_at: dueAt, ...money('earned', row.given) }
    },
  )
}
