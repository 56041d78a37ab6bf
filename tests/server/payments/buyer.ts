import { creditsForUsd } from '#lib/money/credits.ts'
import type { UserRow } from '#server/identity/users.ts'
import { findUser } from '#server/identity/users.ts'
import type { PaymentUpdate } from '#server/payment-provider/port.ts'
import { openCheckout } from '#server/payments/checkout.ts'
import { receiveEvent } from '#server/payments/receive.ts'
import { type PaymentRow, paymentColumns } from '#server/payments/rows.ts'
import { rewardReferral } from '#server/referrals/reward.ts'
import type { World } from '#support/world.ts'

/** A user's payments, oldest first. */
export async function paymentsOf(world: World, userId: string): Promise<PaymentRow[]> {
  return world.db.query<PaymentRow>(
    `select ${paymentColumns} from payment where user_id = $1 order by created_at, id`,
    [userId],
  )
}

type Update<Kind extends PaymentUpdate['kind']> = Extract<PaymentUpdate, { kind: Kind }>

/** One payment whose checkout was opened, and what the provider may say of it. */
export interface Order {
  readonly id: string
  readonly intentRef: string
  paid(part?: Partial<Update<'paid'>>): Update<'paid'>
  expired(): Update<'checkout_expired'>
  declined(): Update<'charge_failed'>
  /** @param key ours, where we asked for it; null: made at the provider */
  refund(usd: number, state?: Update<'refund'>['state'], ref?: string, key?: string | null): Update<'refund'>
  dispute(usd: number, state?: Update<'dispute'>['state'], ref?: string): Update<'dispute'>
  reported(ref?: string): Update<'fraud_warning'>
}

export const visa = { brand: 'visa', last4: '4242', fingerprint: 'fp-1' }
/** A card of this user's alone. */
export const cardOf = (userId: string) => ({ ...visa, fingerprint: `fp-of-${userId}` })

/** Opens a checkout that must open. */
export async function order(world: World, userId: string, usd: number, savesCard = false): Promise<Order> {
  const opened = await openCheckout(world.services, userId, {
    amountUsd: usd,
    credits: creditsForUsd(usd),
    referralId: null,
    autoTopUpEnabled: savesCard,
  })
  if (!opened.ok) throw new Error(opened.code)
  return orderAt(opened.value.url, userId, usd, savesCard)
}

/** What the provider may say of a checkout. @param url where it was opened */
export function orderAt(url: string, userId: string, usd: number, savesCard = false): Order {
  const checkoutRef = url.slice('https://pay.example/'.length)
  const id = checkoutRef.slice('cs_'.length)
  const intentRef = `pi_${id}`
  return {
    id,
    intentRef,
    paid: part => ({
      kind: 'paid',
      paymentId: id,
      checkoutRef,
      intentRef,
      amountMicroUsd: usd * 1_000_000,
      card: cardOf(userId),
      kept: savesCard ? { customerRef: `cus_${userId}`, methodRef: `pm_${id}` } : null,
      ...part,
    }),
    expired: () => ({ kind: 'checkout_expired', paymentId: id, checkoutRef }),
    declined: () => ({ kind: 'charge_failed', paymentId: id, intentRef, rejection: 'declined' }),
    refund: (amount, state = 'succeeded', ref = `re_${id}`, key = null) => ({
      kind: 'refund',
      refundRef: ref,
      key,
      intentRef,
      amountMicroUsd: amount * 1_000_000,
      state,
    }),
    dispute: (amount, state = 'open', ref = `dp_${id}`) => ({
      kind: 'dispute',
      disputeRef: ref,
      intentRef,
      amountMicroUsd: amount * 1_000_000,
      state,
    }),
    reported: (ref = `issfr_${id}`) => ({ kind: 'fraud_warning', warningRef: ref, intentRef }),
  }
}

/** A checkout that was opened with the code of somebody's link. */
export async function orderByLink(world: World, userId: string, usd: number, code: string): Promise<Order> {
  const one = await order(world, userId, usd)
  await world.db.query('update payment set referral_code = $2 where id = $1', [one.id, code])
  return one
}

/** Decides about the rewards that are due, and leaves the mails in the queue for the test to look at. */
export async function runRewards({ db, clock, services }: World): Promise<number> {
  const due = await db.query<{ data: string }>(
    `delete from job where kind = 'referral_reward' and run_at <= $1 returning data`,
    [clock.now()],
  )
  for (const { data } of due) await rewardReferral(services, data)
  return due.length
}

const dayMs = 24 * 3600_000
/** The refund window of what was paid by now has passed, and the rewards for it are decided about. */
export async function passRefundWindow(world: World): Promise<void> {
  world.clock.advance(7 * dayMs + 1)
  await runRewards(world)
}

/** Delivers an event of the provider's, signed. */
export async function deliver(world: World, update: PaymentUpdate, id?: string) {
  const { body, signature } = world.provider.event(update, id)
  return receiveEvent(world.services, Buffer.from(body), signature)
}

/** Balance in dollars and what of the user matters to money. */
export async function accountState(world: World, userId: string) {
  const user = (await findUser(world.db, userId)) as UserRow
  return { balance: user.balance / 1_000_000, canCall: user.can_call, reason: user.blocked_reason }
}

/** What a payment added to or took from each account, in dollars. */
export async function accountsOf(world: World, paymentId: string): Promise<Record<string, number>> {
  const rows = await world.db.query<{ kind: string; net: number }>(
    `select account.kind, sum(case when account.id = credit_account then amount else -amount end)::bigint as net
     from transfer join account on account.id in (debit_account, credit_account)
     where payment_id = $1 group by account.kind having sum(case when account.id = credit_account then amount else -amount end) <> 0
     order by account.kind`,
    [paymentId],
  )
  return Object.fromEntries(rows.map(({ kind, net }) => [kind, net / 1_000_000]))
}

/** Credits that went elsewhere: on calls, say. */
export async function spend(world: World, user: UserRow, usd: number): Promise<void> {
  await world.db.query(
    `insert into transfer (key, debit_account, credit_account, amount, created_at)
     select 'adjustment:' || gen_random_uuid(), $1, id, $2, $3 from account where kind = 'adjustments'`,
    [user.account_id, Math.round(usd * 1_000_000), world.clock.now()],
  )
}
