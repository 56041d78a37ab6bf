import type { UserRow } from '#server/identity/users.ts'
import { refundPayment } from '#server/payments/refunds/operator-refund.ts'
import { requestRefund } from '#server/payments/refunds/refund-request.ts'
import type { World } from '#support/world.ts'
import { deliver, type Order, order } from './buyer.ts'

/** Somebody new who paid so much. */
export async function paid(world: World, usd: number): Promise<{ user: UserRow; one: Order }> {
  const user = await world.addUser()
  const one = await order(world, user.id, usd)
  await deliver(world, one.paid())
  return { user, one }
}

/** The buyer asks for a refund. */
export const asked = (world: World, user: UserRow, one: Order, usd: number) =>
  requestRefund(world.services, user.id, one.id, usd)

/** An operator refunds. */
export const operator = (world: World, one: Order, requestId: string, usd: number) =>
  refundPayment(world.services, {
    requestId,
    paymentId: one.id,
    amountMicroUsd: usd * 1_000_000,
    reason: 'a test',
    actor: 'test',
  })

export const code = (answer: { ok: boolean; code?: string }) => (answer.ok ? 'ok' : answer.code)

/** Subjects of the mails about refunds to somebody. */
export async function mailsTo(world: World, user: UserRow): Promise<string[]> {
  const rows = await world.db.query<{ subject: string }>(
    `select data ->> 'subject' as subject from job where data ->> 'to' = $1 and key like 'mail:refund:%' order by id`,
    [user.email],
  )
  return rows.map(({ subject }) => subject)
}

/** The provider is as before. */
export function endRefunds(world: World): void {
  world.provider.away = 'no'
  world.provider.refunding = 'succeeded'
  world.provider.refunds.length = 0
}
