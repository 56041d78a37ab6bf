import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { keptOf } from '../../ledger/kept.ts'
import type { LockedPayment } from '../rows.ts'
import { writeRefundDown } from './refund-rows.ts'

/**
 * Refunds what refunds and disputes have left of a paid payment, without a request from anybody. The payment must be
 * locked.
 * @returns what is refunded, in micro-dollars; 0 if nothing was left
 */
export async function refundRest(tx: Db, services: Services, locked: LockedPayment): Promise<number> {
  const [left] = await tx.query<{ kept: number }>(
    `select ${keptOf('payment')} as kept from payment where id = $1`,
    [locked.payment.id],
  )
  const amountMicroUsd = left?.kept ?? 0
  if (amountMicroUsd <= 0) return 0
  await writeRefundDown(tx, locked, {
    key: services.random.uuid(),
    amountMicroUsd,
    at: services.clock.now(),
    requestedBy: 'system',
  })
  return amountMicroUsd
}
