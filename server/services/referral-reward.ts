import type { Db } from '../db/port.ts'
import { referralLetter } from '../mail/referral-letter.ts'
import { announceBalance } from './announce.ts'
import { lockLiveCalls, raiseLimits, tellRaisedLimitsOf } from './calls/limits.ts'
import type { Services } from './context.ts'
import { post } from './ledger.ts'
import { queueLetter } from './queue-letter.ts'
import { lockUser, type UserRow } from './users.ts'

/** How many follow in one turn. */
const batch = 20
/** One that failed is tried again after this. */
const pauseMs = 60_000

interface ReferralRow {
  readonly referee_id: string
  readonly referrer_id: string
  readonly payment_id: string | null
  readonly reward: number
  readonly least: number
  readonly given: number
  readonly lost: number
  readonly changes: number
  readonly due_at: Date | null
}

/** One by one, as `callColumns` are. */
const columns = `referral.referee_id, referral.referrer_id, referral.payment_id, referral.reward, referral.least,
  referral.given, referral.lost, referral.changes, referral.due_at`

/**
 * Lets the rewards follow the payments that they are for. Apart from the transactions of those payments: each of these
 * locks the referrer, and none ever holds two users.
 * @returns how many were looked at
 */
export async function settleDueReferrals(services: Services): Promise<number> {
  const { db, clock, log } = services
  const now = clock.now()
  const due = await db.query<{ referee_id: string }>(
    `select referee_id from referral where due_at <= $1 order by due_at limit ${batch}`,
    [now],
  )
  for (const { referee_id: refereeId } of due) {
    try {
      await settleReferral(services, refereeId)
    } catch (error) {
      log.error({ err: error }, 'a referral reward was not settled')
      await db.query('update referral set due_at = $2 where referee_id = $1', [
        refereeId,
        new Date(now.getTime() + pauseMs),
      ])
    }
  }
  return due.length
}

async function settleReferral(services: Services, refereeId: string): Promise<void> {
  const referrerId = await services.db.transaction(tx => follow(tx, services, refereeId))
  if (referrerId === undefined) return
  await Promise.all([announceBalance(services, referrerId), tellRaisedLimitsOf(services, referrerId)]).catch(
    error => services.log.warn({ err: error }, 'a referral reward was not told'),
  )
}

/** @returns whose balance changed */
async function follow(tx: Db, services: Services, refereeId: string): Promise<string | undefined> {
  const at = services.clock.now()
  const [owner] = await tx.query<{ referrer_id: string }>(
    'select referrer_id from referral where referee_id = $1',
    [refereeId],
  )
  const referrer = owner && (await lockUser(tx, owner.referrer_id))
  if (referrer === undefined) return undefined
  await lockLiveCalls(tx, referrer.id)
  const [found] = await tx.query<ReferralRow>(
    `select ${columns} from referral where referee_id = $1 and due_at is not null for update`,
    [refereeId],
  )
  if (found === undefined) return undefined
  const referral = found.payment_id === null ? await judge(tx, services, found, referrer) : found
  await tx.query('update referral set due_at = null where referee_id = $1', [refereeId])
  const target = (await stays(tx, referral)) ? referral.reward : 0
  if (target === referral.given) return undefined
  if (target > 0) await give(tx, services, referral, referrer, at)
  else await takeBack(tx, referral, referrer, at)
  return referrer.id
}

/**
 * Judges the referee's first payment that is large enough, once, by the terms of today. It earns nothing where the
 * referee has paid with a card that the referrer has paid with or lets us keep, or has called from a browser that the
 * referrer has called from; and nothing more for a referrer who has deleted the account.
 */
async function judge(
  tx: Db,
  { paymentPolicy }: Services,
  referral: ReferralRow,
  referrer: UserRow,
): Promise<ReferralRow> {
  const { referee_id, referrer_id } = referral
  const { rewardMicroUsd, leastMicroUsd } = paymentPolicy.referral
  const [payment] = await tx.query<{ id: string }>(
    `select id from payment where user_id = $1 and state = 'paid' and amount >= $2
     order by paid_at, receipt limit 1`,
    [referee_id, leastMicroUsd],
  )
  if (payment === undefined) return referral
  const [row] = await tx.query<ReferralRow>(
    `update referral set payment_id = $2, least = $3, refusal = own.refusal,
       reward = case when own.refusal is null then $4::bigint else 0 end
     from (select case when exists (${shared(cards)}) then 'own_card'
                       when exists (${shared(devices)}) then 'own_device' end as refusal) own
     where referee_id = $1 returning ${columns}`,
    [referee_id, payment.id, leastMicroUsd, referrer.deleted_at === null ? rewardMicroUsd : 0, referrer_id],
  )
  return row ?? referral
}

/** What two users have in common: none of it is null, which is like nothing. */
const shared = (of: (user: string) => string) => `${of('$1')} intersect ${of('$5')}`
const cards = (user: string) => `
  (select card_fingerprint from payment where user_id = ${user} and state = 'paid' and card_fingerprint is not null
   union select fingerprint from saved_card where user_id = ${user})`
const devices = (user: string) => `
  (select device from caller_origin where user_id = ${user} and device is not null
   union select from_device from call where user_id = ${user} and from_device is not null)`

/** Whether so much of the payment stays paid as counts. */
async function stays(tx: Db, { payment_id, least }: ReferralRow): Promise<boolean> {
  const [row] = await tx.query<{ kept: number }>(
    `select (amount
       - (select coalesce(sum(amount), 0) from refund where payment_id = payment.id and refund.state <> 'failed')
       - (select coalesce(sum(amount), 0) from dispute where payment_id = payment.id and dispute.state <> 'won'))::bigint
       as kept from payment where id = $1`,
    [payment_id],
  )
  return row !== undefined && row.kept >= least
}

/** Gives the reward: the first time with a mail, again where it was taken back. What was lost meanwhile is filled first. */
async function give(
  tx: Db,
  services: Services,
  referral: ReferralRow,
  referrer: UserRow,
  at: Date,
): Promise<void> {
  const { referee_id: referee, reward, lost, changes } = referral
  const key = changes === 0 ? `referral:${referee}` : `referral:${referee}:again:${changes}`
  const transfer = { debit: 'promotions', at } as const
  if (lost > 0) {
    await post(tx, { ...transfer, key: `${key}:loss`, credit: 'dispute_losses', amountMicroUsd: lost })
  }
  if (reward > lost) {
    await post(tx, { ...transfer, key, credit: referrer.account_id, amountMicroUsd: reward - lost })
  }
  await note(tx, referral, { given: reward, lost: 0 })
  if (changes === 0) {
    await queueLetter(
      tx,
      `referral:${referee}`,
      referrer.email,
      referralLetter(services.publicUrl, reward),
      at,
    )
  }
  await raiseLimits(tx, services, referrer.id)
}

/** Takes it back from what the balance holds; what it does not hold any more is our loss. */
async function takeBack(tx: Db, referral: ReferralRow, referrer: UserRow, at: Date): Promise<void> {
  const { referee_id: referee, given, changes } = referral
  const key = `referral:${referee}:back:${changes}`
  const [account] = await tx.query<{ balance: number }>(
    'select balance from account where id = $1 for update',
    [referrer.account_id],
  )
  const fromBalance = Math.min(account?.balance ?? 0, given)
  const transfer = { credit: 'promotions', at } as const
  if (fromBalance > 0) {
    await post(tx, { ...transfer, key, debit: referrer.account_id, amountMicroUsd: fromBalance })
  }
  if (given > fromBalance) {
    const amountMicroUsd = given - fromBalance
    await post(tx, { ...transfer, key: `${key}:loss`, debit: 'dispute_losses', amountMicroUsd })
  }
  await note(tx, referral, { given: 0, lost: given - fromBalance })
}

async function note(
  tx: Db,
  { referee_id }: ReferralRow,
  { given, lost }: Pick<ReferralRow, 'given' | 'lost'>,
): Promise<void> {
  await tx.query('update referral set given = $2, lost = $3, changes = changes + 1 where referee_id = $1', [
    referee_id,
    given,
    lost,
  ])
}
