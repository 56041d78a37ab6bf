import { createHmac } from 'node:crypto'
import { monthOf } from '#lib/money/spending.ts'
import type { Services } from '../context.ts'
import type { Db } from '../db/port.ts'
import { normaliseMailbox } from '../identity/mailbox.ts'
import { lockUser, type UserRow } from '../identity/users.ts'
import { awaitsReview, isUncontested, keptOf } from '../ledger/kept.ts'
import { post } from '../ledger/ledger.ts'
import { queueEmailTo } from '../mail/queue-email.ts'
import { announceBalance } from '../realtime/announce-balance.ts'
import { lockLiveCalls, raiseLimits, sendRaisedLimitsOf } from '../spending/duration-limits.ts'
import { referralEmail } from './referral-email.ts'
import type { ReferralRejection } from './referrals.ts'

/** Once per buyer (ADR-49). A payment that does not stand decides nothing: it is scheduled again if that changes. */
export async function rewardReferral(services: Services, paymentId: string): Promise<void> {
  const rewarded = await services.db.transaction(tx => decide(tx, services, paymentId))
  if (rewarded === undefined) return
  await Promise.all([announceBalance(services, rewarded), sendRaisedLimitsOf(services, rewarded)]).catch(
    error => services.log.warn({ err: error }, 'could not publish a referral reward'),
  )
}

interface Earner {
  readonly referee_id: string
  readonly referrer_id: string
  readonly card_fingerprint: string | null
  readonly email: string
  readonly gone: boolean
}

/** @returns the user whose balance grew */
async function decide(tx: Db, services: Services, paymentId: string): Promise<string | undefined> {
  const [owner] = await tx.query<{ referrer_id: string }>(
    'select referrer_id from referral join payment on user_id = referee_id where payment.id = $1',
    [paymentId],
  )
  // Locks only the referrer: two users who refer each other would deadlock.
  const referrer = owner && (await lockUser(tx, owner.referrer_id))
  if (referrer === undefined) return undefined
  await lockLiveCalls(tx, referrer.id)
  const { minPaymentMicroUsd: minMicroUsd, rewardMicroUsd } = services.paymentPolicy.referral
  const [earner] = await tx.query<Earner>(
    `select referee_id, referrer_id, card_fingerprint, email, deleted_at is not null as gone
     from payment join referral on referee_id = user_id join app_user on app_user.id = user_id
     where payment.id = $1 and payment.kind <> 'gift' and payment.state = 'paid' and referral.payment_id is null
       and ${keptOf('payment')} >= $2 and ${isUncontested('payment')} and not ${awaitsReview('payment')}
     for update of referral`,
    [paymentId, minMicroUsd],
  )
  if (earner === undefined) return undefined
  const at = services.clock.now()
  const card = earner.card_fingerprint === null ? null : hashOf(services, 'card', earner.card_fingerprint)
  const mailbox = mailboxHash(services, earner.email)
  const rejection = await rejectionOf(tx, services, { earner, referrer, card, mailbox, at })
  const reward = rejection !== null || referrer.deleted_at !== null ? 0 : rewardMicroUsd
  // Hashes are kept only for rewards: a card that earned nothing may earn later.
  const earned = reward > 0 ? { card, mailbox } : { card: null, mailbox: null }
  await tx.query(
    `update referral set payment_id = $2, least = $3, reward = $4::bigint, given = $4::bigint, refusal = $5, card = $6, mailbox = $7,
       decided_at = $8, due_at = null, changes = case when $4::bigint > 0 then 1 else 0 end
     where referee_id = $1`,
    [earner.referee_id, paymentId, minMicroUsd, reward, rejection, earned.card, earned.mailbox, at],
  )
  if (reward === 0) return undefined
  const key = `referral:${earner.referee_id}`
  const given = { key, debit: 'promotions', credit: referrer.account_id, amountMicroUsd: reward, at } as const
  if (!(await post(tx, given))) throw new Error('a referral that was not decided has a reward')
  await queueEmailTo(tx, key, referrer, () => referralEmail(services.publicUrl, reward), at)
  await raiseLimits(tx, services, referrer.id)
  return referrer.id
}

interface Question {
  readonly earner: Earner
  readonly referrer: UserRow
  readonly card: Uint8Array | null
  readonly mailbox: Uint8Array
  readonly at: Date
}

/** Rejects a shared card, browser or mailbox, a second reward for a card or mailbox, and more than the monthly cap. */
async function rejectionOf(
  tx: Db,
  services: Services,
  { earner, referrer, card, mailbox, at }: Question,
): Promise<ReferralRejection | null> {
  if (earner.gone) return 'referee_gone'
  const { rewardMicroUsd, monthlyMicroUsd } = services.paymentPolicy.referral
  const month = monthOf(at)
  const [found] = await tx.query<
    Record<'card' | 'device' | 'cardUsed' | 'mailboxUsed', boolean> & { given: number }
  >(
    `select exists (${cards('$1')} intersect ${cards('$2')}) as card,
       exists (${devices('$1')} intersect ${devices('$2')}) as device,
       exists (select 1 from referral where card = $3 and given > 0) as "cardUsed",
       exists (select 1 from referral where mailbox = $4 and given > 0) as "mailboxUsed",
       (select coalesce(sum(given), 0) from referral
        where referrer_id = $2 and decided_at >= $5 and decided_at < $6)::bigint as given`,
    [earner.referee_id, referrer.id, card, mailbox, month.from, month.to],
  )
  if (found === undefined) throw new Error('a select of values has one row')
  if (found.card) return 'own_card'
  if (found.device) return 'own_device'
  if (Buffer.from(mailbox).equals(mailboxHash(services, referrer.email))) return 'own_mailbox'
  if (found.cardUsed) return 'card_used'
  if (found.mailboxUsed) return 'mailbox_used'
  return found.given + rewardMicroUsd > monthlyMicroUsd ? 'monthly_cap' : null
}

/** Nulls are excluded: they never compare as equal. */
const cards = (user: string) => `
  (select card_fingerprint from payment where user_id = ${user} and state = 'paid' and card_fingerprint is not null
   union select fingerprint from saved_card where user_id = ${user})`
const devices = (user: string) => `
  (select device from caller_origin where user_id = ${user} and device is not null
   union select from_device from call where user_id = ${user} and from_device is not null)`

/** Keyed hash, so that the database reveals neither cards nor addresses. */
function hashOf({ keys }: Pick<Services, 'keys'>, what: 'card' | 'mailbox', value: string): Uint8Array {
  return createHmac('sha256', keys.origin).update(`referral ${what} ${value}`).digest()
}

function mailboxHash(services: Pick<Services, 'keys'>, email: string): Uint8Array {
  return hashOf(services, 'mailbox', normaliseMailbox(email))
}
