import { chargeDueMinutes } from '#server/calls/metering/meter.ts'
import type { Services } from '#server/context.ts'
import { findUser, type UserRow } from '#server/identity/users.ts'
import type { PaymentUpdate } from '#server/payment-provider/port.ts'
import { runAutoTopUps } from '#server/payments/auto-top-up/auto-top-up-charge.ts'
import type { PaymentRow } from '#server/payments/rows.ts'
import { connectCall } from '#support/simulated-network.ts'
import type { World } from '#support/world.ts'
import { cardOf, deliver, order, paymentsOf, spend } from './buyer.ts'

/** 0.02 USD a minute. */
export const american = '+12125550100'

/** Somebody who bought so much with auto top-up on, and has so much left. */
export async function addCustomer(world: World, { usd = 10, left = 2 } = {}): Promise<UserRow> {
  const user = await world.addUser()
  const bought = await order(world, user.id, usd, true)
  await deliver(world, bought.paid())
  const { balance } = (await findUser(world.db, user.id)) as UserRow
  await spend(world, user, balance / 1_000_000 - left)
  return userOf(world, user.id)
}

export async function userOf(world: World, userId: string): Promise<UserRow> {
  const user = await findUser(world.db, userId)
  if (user === undefined) throw new Error('the user is gone')
  return user
}

/** A call of one minute, from start to settlement. */
export async function callOnce(world: World, userId: string): Promise<void> {
  const call = await connectCall(world.control, userId, american)
  await chargeDueMinutes(world.services)
  await call.end(1000)
}

/** The charges of the kept card, oldest first. */
export async function topUpsOf(world: World, userId: string): Promise<PaymentRow[]> {
  return (await paymentsOf(world, userId)).filter(({ kind }) => kind === 'auto_topup')
}

/** What the provider says of a charge that worked. */
export function topUpPaid({
  id,
  amount_micro_usd: amount,
}: PaymentRow): Extract<PaymentUpdate, { kind: 'paid' }> {
  return {
    kind: 'paid',
    paymentId: id,
    checkoutRef: null,
    intentRef: `pi_${id}`,
    amountMicroUsd: amount,
    card: cardOf(id),
    kept: null,
  }
}

/** What a charge of the provider's comes to is known to it from the start. */
export function knowPaid(world: World): void {
  const { get } = world.provider.known
  world.provider.known.get = ref => {
    const charge = world.provider.charges.find(({ paymentId }) => ref === `pi_${paymentId}`)
    if (charge === undefined) return get.call(world.provider.known, ref)
    return topUpPaid({ id: charge.paymentId, amount_micro_usd: charge.amountMicroUsd } as PaymentRow)
  }
}

/** Turns of the worker until it finds nothing to do now. */
export async function runAll(services: Services): Promise<void> {
  while ((await runAutoTopUps(services)) > 0);
}

/** The card and the provider are as before, and what was wished is charged. */
export async function endTopUps(world: World): Promise<void> {
  world.provider.away = 'no'
  world.provider.keptCard = null
  world.provider.charges.length = 0
  world.network.limits.length = 0
  world.network.hungUp.length = 0
  await runAll(world.services)
}

/** What the provider was asked to charge. */
export function chargesOf(world: World, userId: string) {
  return world.provider.charges.filter(charge => charge.userId === userId)
}

/** The subjects of the mails to somebody that were queued, oldest first. */
export async function mailsTo(world: World, email: string): Promise<{ subject: string; text: string }[]> {
  const rows = await world.db.query<{ data: { subject: string; text: string } }>(
    `select data from job where data ->> 'to' = $1 order by id`,
    [email],
  )
  return rows.map(({ data }) => data)
}
