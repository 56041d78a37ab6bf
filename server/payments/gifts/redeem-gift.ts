import { readGiftCode } from '#lib/money/gift-code.ts'
import { giftCodePolicy } from '../../config/policy.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { findUser, lockUser } from '../../identity/users.ts'
import { awaitsReview, isBlocked, isUncontested } from '../../ledger/kept.ts'
import { balanceOf, post } from '../../ledger/ledger.ts'
import { type AttemptLimit, countAttempt, uncountAttempt } from '../../limits/attempts.ts'
import { BudgetIsSpent } from '../../limits/budget-is-spent.ts'
import { hashOrigin, isLoopback, networkOf } from '../../limits/origin.ts'
import { type BudgetSpent, reportSpent, reserve } from '../../limits/reserve.ts'
import { personSubjects } from '../../limits/subjects.ts'
import { queueEmailTo } from '../../mail/queue-email.ts'
import { announceBalance } from '../../realtime/announce-balance.ts'
import { lockLiveCalls, raiseLimits, sendRaisedLimitsOf } from '../../spending/duration-limits.ts'
import { giftRedeemedEmail } from './gift-emails.ts'
import { type GiftRow, giftColumns, hashGiftCode, namesOf, unredeemedPart } from './gift-rows.ts'

export type CodeRejection =
  /** Wrong, used, refunded, contested, not released or of a blocked buyer: one answer for all. */
  { readonly code: 'unknown_code' } | { readonly code: 'too_many_codes'; readonly waitMs: number }

export type RedeemRejection =
  | CodeRejection
  | { readonly code: 'email_unverified' | 'call_blocked' | 'unauthorized' }
  | { readonly code: 'gift_limit'; readonly spent: BudgetSpent }

type Answer<Value, Rejection> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly rejection: Rejection }

const unknownCode = { ok: false, rejection: { code: 'unknown_code' } } as const

export interface FoundGift {
  readonly amountMicroUsd: number
  readonly fromName: string
  readonly toName: string
  readonly message: string
}

/** What a code is worth, for a signed-in user who has it. Also while its own redeemer asks again. */
export async function lookUpGift(
  services: Services,
  userId: string,
  text: string,
  address: string,
): Promise<Answer<FoundGift, CodeRejection>> {
  return guarded(services, userId, address, async () => {
    const gift = await findByCode(services.db, text)
    if (gift === undefined) return unknownCode
    const amountMicroUsd =
      gift.redeemed_by === userId
        ? await redeemedPart(services.db, gift.payment_id)
        : await redeemablePart(services.db, gift)
    if (amountMicroUsd === 0) return unknownCode
    return { ok: true, value: { amountMicroUsd, ...namesOf(gift) } }
  })
}

export interface Redeemed {
  readonly amountMicroUsd: number
  readonly balanceMicroUsd: number
  readonly fromName: string
}

/** Moves a booklet's credits to the user's balance, once. The first redeemer who asks again gets the same answer. */
export async function redeemGift(
  services: Services,
  userId: string,
  text: string,
  address: string,
): Promise<Answer<Redeemed, RedeemRejection>> {
  const redeemed = await guarded<Redeemed & { readonly fresh: boolean }, RedeemRejection>(
    services,
    userId,
    address,
    () => services.db.transaction(tx => redeem(tx, services, userId, text, address)),
  )
  if (!redeemed.ok) {
    if (redeemed.rejection.code === 'gift_limit') reportSpent(services, redeemed.rejection.spent)
    return redeemed
  }
  const { fresh, ...value } = redeemed.value
  if (fresh) {
    await Promise.all([announceBalance(services, userId), sendRaisedLimitsOf(services, userId)]).catch(
      error => services.log.warn({ err: error }, 'could not publish the balance after a booklet'),
    )
  }
  return { ok: true, value }
}

async function redeem(
  tx: Db,
  services: Services,
  userId: string,
  text: string,
  address: string,
): Promise<Answer<Redeemed & { fresh: boolean }, RedeemRejection>> {
  const user = await lockUser(tx, userId)
  if (user === undefined || user.deleted_at !== null)
    return { ok: false, rejection: { code: 'unauthorized' } }
  const found = await findByCode(tx, text)
  if (found === undefined) return unknownCode
  await lockLiveCalls(tx, userId)
  // Every change of a booklet needs its payment's lock. Users are locked before payments, and nobody holds two users.
  await tx.query('select id from payment where id = $1 for no key update', [found.payment_id])
  const gift = await findByCode(tx, text)
  if (gift === undefined) return unknownCode
  const { fromName } = namesOf(gift)
  if (gift.redeemed_by === userId) {
    const redeemedMicroUsd = await redeemedPart(tx, gift.payment_id)
    const value = { amountMicroUsd: redeemedMicroUsd, balanceMicroUsd: user.balance, fromName, fresh: false }
    return { ok: true, value }
  }
  const amountMicroUsd = await redeemablePart(tx, gift)
  if (amountMicroUsd === 0) return unknownCode
  if (user.email_verified_at === null) return { ok: false, rejection: { code: 'email_unverified' } }
  if (!user.can_call) return { ok: false, rejection: { code: 'call_blocked' } }
  const at = services.clock.now()
  await post(tx, {
    key: `gift_redeem:${gift.payment_id}`,
    debit: 'gifts',
    credit: user.account_id,
    amountMicroUsd,
    paymentId: gift.payment_id,
    at,
  })
  await tx.query(
    `update gift set redeemed_at = $2, redeemed_by = $3, recipient_email = null, code_sealed = null
     where payment_id = $1`,
    [gift.payment_id, at, userId],
  )
  await raiseLimits(tx, services, userId)
  await writeToBuyer(tx, services, gift, amountMicroUsd)
  const balanceMicroUsd = await balanceOf(tx, user.account_id)
  const subjects = personSubjects(services, user, hashOrigin(services, { address, device: null }))
  const reserved = await reserve(tx, services, [{ kind: 'gift_redeem', subjects, costMicroUsd: 0 }])
  if (!reserved.ok) throw new BudgetIsSpent(reserved.spent)
  return { ok: true, value: { amountMicroUsd, balanceMicroUsd, fromName, fresh: true } }
}

async function findByCode(db: Db, text: string): Promise<GiftRow | undefined> {
  const code = readGiftCode(text)
  if (code === null) return undefined
  const [gift] = await db.query<GiftRow>(`select ${giftColumns} from gift where code_hash = $1`, [
    hashGiftCode(code),
  ])
  return gift
}

/**
 * Micro-dollars; 0: not paid, in review, contested, refunded or redeemed, or its buyer is blocked: who paid for one booklet with
 * a stolen card may have paid for the others, too.
 */
async function redeemablePart(db: Db, gift: GiftRow): Promise<number> {
  if (gift.redeemed_at !== null) return 0
  const stands = await db.query(
    `select 1 from payment join app_user buyer on buyer.id = payment.user_id
     where payment.id = $1 and state = 'paid' and not ${awaitsReview('payment')} and ${isUncontested('payment')}
       and not ${isBlocked('buyer')}`,
    [gift.payment_id],
  )
  return stands.length === 0 ? 0 : unredeemedPart(db, gift.payment_id)
}

async function redeemedPart(db: Db, paymentId: string): Promise<number> {
  const [row] = await db.query<{ redeemed: number }>(
    'select amount as redeemed from transfer where key = $1',
    [`gift_redeem:${paymentId}`],
  )
  return row?.redeemed ?? 0
}

async function writeToBuyer(
  tx: Db,
  services: Services,
  gift: GiftRow,
  amountMicroUsd: number,
): Promise<void> {
  const buyer = await findUser(tx, gift.user_id)
  if (buyer === undefined) return
  const template = () => giftRedeemedEmail(services.publicUrl, gift, amountMicroUsd)
  await queueEmailTo(tx, `gift-redeemed:${gift.payment_id}`, buyer, template, services.clock.now())
}

/**
 * Counts each try before the code is looked at, of the account and then of the address, so that the tries of one account
 * beyond its limit take none from the others at its address. One that fits is not counted.
 */
async function guarded<Value, Rejection extends RedeemRejection>(
  services: Services,
  userId: string,
  address: string,
  work: () => Promise<Answer<Value, Rejection>>,
): Promise<Answer<Value, Rejection | CodeRejection>> {
  const limits = limitsOf(userId, address)
  for (const [n, limit] of limits.entries()) {
    const waitMs = await countAttempt(services, limit)
    if (waitMs === 0) continue
    for (const counted of limits.slice(0, n)) await uncountAttempt(services, counted)
    return { ok: false, rejection: { code: 'too_many_codes', waitMs } }
  }
  const answer = await work().catch((error: unknown) => {
    if (!(error instanceof BudgetIsSpent)) throw error
    const rejection = { code: 'gift_limit', spent: error.spent } as const
    return { ok: false, rejection: rejection as Rejection } as const
  })
  if (answer.ok || answer.rejection.code !== 'unknown_code')
    for (const limit of limits) await uncountAttempt(services, limit)
  return answer
}

function limitsOf(userId: string, address: string): readonly AttemptLimit[] {
  const { windowSeconds, maxPerAccount, maxPerAddress } = giftCodePolicy
  const common = { kind: 'gift_code', windowSeconds } as const
  return [
    { ...common, scope: 'account', subject: userId, max: maxPerAccount },
    // No limit for loopback: it is this machine, or a proxy that hides everybody behind one address.
    ...(isLoopback(address)
      ? []
      : [{ ...common, scope: 'address', subject: networkOf(address), max: maxPerAddress } as const]),
  ]
}
