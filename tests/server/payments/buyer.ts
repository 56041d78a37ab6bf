import { creditsForUsd } from '#lib/rules/credits.ts'
import type { PaymentNews } from '#server/payments/port.ts'
import { openCheckout } from '#server/services/payments/checkout.ts'
import { receiveEvent } from '#server/services/payments/receive.ts'
import { type PaymentRow, paymentColumns } from '#server/services/payments/rows.ts'
import type { UserRow } from '#server/services/users.ts'
import { findUser } from '#server/services/users.ts'
import type { World } from '#support/world.ts'

/** A user's payments, oldest first. */
export async function paymentsOf(world: World, userId: string): Promise<PaymentRow[]> {
  return world.db.query<PaymentRow>(
    `select ${paymentColumns} from payment where user_id = $1 order by created_at, id`,
    [userId],
  )
}

type News<Kind extends PaymentNews['kind']> = Extract<PaymentNews, { kind: Kind }>

/** One payment whose checkout was opened, and what the provider may say of it. */
export interface Order {
  readonly id: string
  readonly intentRef: string
  paid(part?: Partial<News<'paid'>>): News<'paid'>
  expired(): News<'checkout_expired'>
  declined(): News<'charge_failed'>
  refund(usd: number, state?: News<'refund'>['state'], ref?: string): News<'refund'>
  dispute(usd: number, state?: News<'dispute'>['state'], ref?: string): News<'dispute'>
}

export const visa = { brand: 'visa', last4: '4242', fingerprint: 'fp-1' }

/** Opens a checkout that must open. */
export async function order(world: World, userId: string, usd: number, savesCard = false): Promise<Order> {
  const opened = await openCheckout(world.services, userId, {
    amount: usd,
    credits: creditsForUsd(usd),
    referralId: null,
    autoTopUpEnabled: savesCard,
  })
  if (!opened.ok) throw new Error(opened.code)
  const checkoutRef = opened.value.url.slice('https://pay.example/'.length)
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
      card: visa,
      kept: savesCard ? { customerRef: `cus_${userId}`, methodRef: `pm_${id}` } : null,
      ...part,
    }),
    expired: () => ({ kind: 'checkout_expired', paymentId: id, checkoutRef }),
    declined: () => ({ kind: 'charge_failed', paymentId: id, intentRef, refusal: 'declined' }),
    refund: (amount, state = 'succeeded', ref = `re_${id}`) => ({
      kind: 'refund',
      refundRef: ref,
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
  }
}

/** Delivers an event of the provider's, signed. */
export async function deliver(world: World, news: PaymentNews, id?: string) {
  const { body, signature } = world.provider.event(news, id)
  return receiveEvent(world.services, Buffer.from(body), signature)
}

/** Balance in dollars and what of the user matters to money. */
export async function standing(world: World, userId: string) {
  const user = (await findUser(world.db, userId)) as UserRow
  return { balance: user.balance / 1_000_000, canCall: user.can_call, reason: user.blocked_reason }
}

/** What a payment has brought to or taken from each account, in dollars. */
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
