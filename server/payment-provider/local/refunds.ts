import { failure, type Result, success } from '#lib/result.ts'
import type { Db } from '../../db/port.ts'
import type { RefundOrder } from '../port.ts'
import { type IntentRow, lockIntent, sourceOf } from './intents.ts'
import { publish } from './outbox.ts'
import { type LocalTools, newRef } from './tools.ts'

/** Time until a slow refund succeeds or a failing one fails. */
const settlesAfterMs = 5_000

interface Refunded {
  readonly refundRef: string
  readonly state: 'pending' | 'succeeded'
}

interface RefundRow {
  readonly ref: string
  readonly intent_ref: string
  readonly amount_micro_usd: number
  readonly answer: 'pending' | 'succeeded'
}

/** Refunds to the card. A retry with the same key gets the first answer. */
export async function refund(
  tools: LocalTools,
  order: RefundOrder,
): Promise<Result<Refunded, 'not_refundable'>> {
  return tools.db.transaction(async tx => {
    const intent = await lockIntent(tx, { ref: order.intentRef })
    if (intent === undefined) return failure('not_refundable')
    const [known] = await tx.query<RefundRow>(
      'select ref, intent_ref, amount as amount_micro_usd, answer from local_refund where key = $1',
      [order.key],
    )
    if (known !== undefined) {
      const same = known.intent_ref === order.intentRef && known.amount_micro_usd === order.amountMicroUsd
      if (!same) throw new Error('this refund was ordered otherwise before')
      return success({ refundRef: known.ref, state: known.answer })
    }
    if (!(await isRefundable(tx, intent, order.amountMicroUsd))) return failure('not_refundable')
    return success(await giveBack(tools, tx, intent, order))
  })
}

async function isRefundable(tx: Db, intent: IntentRow, amountMicroUsd: number): Promise<boolean> {
  if (intent.state !== 'paid' || amountMicroUsd > intent.amount_micro_usd - intent.refunded) return false
  const disputes = await tx.query(
    `select ref from local_dispute where intent_ref = $1 and state in ('open', 'lost')`,
    [intent.ref],
  )
  return disputes.length === 0
}

async function giveBack(tools: LocalTools, tx: Db, intent: IntentRow, order: RefundOrder): Promise<Refunded> {
  const refundRef = newRef(tools.random, 're')
  const { amountMicroUsd } = order
  const slow = intent.behaviour === 'refunds_slowly'
  const fails = intent.behaviour === 'refunds_fail'
  const answer = slow ? 'pending' : 'succeeded'
  await tx.query(
    'insert into local_refund (ref, key, intent_ref, amount, answer) values ($1, $2, $3, $4, $5)',
    [refundRef, order.key, intent.ref, amountMicroUsd, answer],
  )
  if (!fails) {
    await tx.query('update local_intent set refunded = refunded + $2 where ref = $1', [
      intent.ref,
      amountMicroUsd,
    ])
  }
  const refundUpdate = {
    kind: 'refund',
    refundRef,
    key: order.key,
    intentRef: intent.ref,
    amountMicroUsd,
  } as const
  await publish(tools, tx, sourceOf(intent), { ...refundUpdate, state: answer })
  if (slow)
    await publish(tools, tx, sourceOf(intent), { ...refundUpdate, state: 'succeeded' }, settlesAfterMs)
  if (fails) await publish(tools, tx, sourceOf(intent), { ...refundUpdate, state: 'failed' }, settlesAfterMs)
  return { refundRef, state: answer }
}
