import type { Db } from '../../db/port.ts'
import { type IntentRow, intentColumns, lockIntent, sourceOf } from './intents.ts'
import { tell } from './outbox.ts'
import { type LocalTools, newRef } from './tools.ts'

/** The owner of the card asks the bank for so much of a paid intent back, in micro-dollars. */
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
  await tell(tools, tx, sourceOf(intent), {
    kind: 'dispute',
    disputeRef,
    intentRef: intent.ref,
    amountMicroUsd,
    state: 'open',
  })
  return disputeRef
}

/**
 * Disputes a payment: all of it that was not refunded, or so many micro-dollars.
 * @throws Error when it is not paid, is refunded or disputed already
 */
export async function openDispute(
  tools: LocalTools,
  intentRef: string,
  amountMicroUsd?: number,
): Promise<string> {
  return tools.db.transaction(async tx => {
    const intent = await lockIntent(tx, { ref: intentRef })
    if (intent?.state !== 'paid') throw new Error('there is no such payment')
    return disputePaid(tools, tx, intent, amountMicroUsd ?? intent.amount - intent.refunded)
  })
}

/**
 * Ends a dispute, for the merchant (`won`) or against it (`lost`).
 * @throws Error when there is no such open dispute
 */
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
    const [closed] = await tx.query<{ amount: number }>(
      `update local_dispute set state = $2 where ref = $1 and state = 'open' returning amount`,
      [disputeRef, state],
    )
    if (intent === undefined || closed === undefined) throw new Error('there is no such open dispute')
    await tell(tools, tx, sourceOf(intent), {
      kind: 'dispute',
      disputeRef,
      intentRef: intent.ref,
      amountMicroUsd: closed.amount,
      state,
    })
  })
}
