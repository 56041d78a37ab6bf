import type { Db } from '../../db/port.ts'
import { type IntentRow, intentColumns, lockIntent, sourceOf } from './intents.ts'
import { publish } from './outbox.ts'
import { type LocalTools, newRef } from './tools.ts'

/** Disputes part of a paid intent, in micro-dollars. */
export async function disputePaid(
  tools: LocalTools,
  tx: Db,
  intent: IntentRow,
  amountMicroUsd: number,
): Promise<string> {
  const disputeRef = newRef(tools.random, 'dp')
  await tx.query(`insert into local_dispute (ref, intent_ref, amount, state) values ($1, $2, $3, 'open')`, [
    disputeRef,
    intent.ref,
    amountMicroUsd,
  ])
  await publish(tools, tx, sourceOf(intent), {
    kind: 'dispute',
    disputeRef,
    intentRef: intent.ref,
    amountMicroUsd,
    state: 'open',
  })
  return disputeRef
}

/** @param amountMicroUsd default: all that was not refunded @throws Error when it is unpaid, refunded or already disputed */
export async function openDispute(
  tools: LocalTools,
  intentRef: string,
  amountMicroUsd?: number,
): Promise<string> {
  return tools.db.transaction(async tx => {
    const intent = await lockIntent(tx, { ref: intentRef })
    if (intent?.state !== 'paid') throw new Error('there is no such payment')
    return disputePaid(tools, tx, intent, amountMicroUsd ?? intent.amount_micro_usd - intent.refunded)
  })
}

/** Reports a paid intent as fraud. @returns the warning's id */
export async function reportFraud(tools: LocalTools, tx: Db, intent: IntentRow): Promise<string> {
  const warningRef = newRef(tools.random, 'fw')
  await publish(tools, tx, sourceOf(intent), { kind: 'fraud_warning', warningRef, intentRef: intent.ref })
  return warningRef
}

/** The same by the intent's id. @throws Error when it is not paid */
export async function reportPaid(tools: LocalTools, intentRef: string): Promise<string> {
  return tools.db.transaction(async tx => {
    const intent = await lockIntent(tx, { ref: intentRef })
    if (intent?.state !== 'paid') throw new Error('there is no such payment')
    return reportFraud(tools, tx, intent)
  })
}

/** @param state `won` is in the merchant's favour @throws Error when there is no such open dispute */
export async function closeDispute(
  tools: LocalTools,
  disputeRef: string,
  state: 'won' | 'lost',
): Promise<void> {
  await tools.db.transaction(async tx => {
    const [intent] = await tx.query<IntentRow>(
      `select ${intentColumns} from local_intent i
       where i.ref = (select intent_ref from local_dispute where ref = $1) for update`,
      [disputeRef],
    )
    const [closed] = await tx.query<{ amount_micro_usd: number }>(
      `update local_dispute set state = $2 where ref = $1 and state = 'open' returning amount as amount_micro_usd`,
      [disputeRef, state],
    )
    if (intent === undefined || closed === undefined) throw new Error('there is no such open dispute')
    await publish(tools, tx, sourceOf(intent), {
      kind: 'dispute',
      disputeRef,
      intentRef: intent.ref,
      amountMicroUsd: closed.amount_micro_usd,
      state,
    })
  })
}
