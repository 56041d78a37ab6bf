import { findCall } from '#server/calls/history/history.ts'
import { chargeDueMinutes } from '#server/calls/metering/meter.ts'
import { post } from '#server/ledger/ledger.ts'
import type { World } from '#support/world.ts'

/** 0.02 USD a minute. */
export const american = '+12125550100'
export const rate = 20_000

/** Time passes, with the meter running once a second as it does in the server, only faster. */
export async function holdCall(world: World, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 1000) {
    world.clock.advance(Math.min(1000, ms - passed))
    await chargeDueMinutes(world.services)
  }
}

/** Withdraws 0.02 USD from an account while its call is running. */
export async function removeBalance(world: World, accountId: number): Promise<void> {
  const transfer = {
    debit: accountId,
    credit: 'adjustments',
    amountMicroUsd: 20_000,
    at: world.clock.now(),
  } as const
  await post(world.db, { ...transfer, key: `test:${accountId}` })
}

/** The call as its user's history shows it. */
export async function record(world: World, userId: string, callId: string) {
  const found = await findCall(world.db, userId, callId)
  if (found === undefined) throw new Error('the call is not in the history')
  return found
}
