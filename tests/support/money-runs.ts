import fc from 'fast-check'
import { expect } from 'vitest'
import { findUser } from '#server/identity/users.ts'
import { findBreaches } from './books.ts'
import { answer, place } from './money-acts.ts'
import { moneyCommands } from './money-commands.ts'
import { orderGift } from './money-gift-acts.ts'
import { MoneyModel } from './money-model.ts'
import { checkout, pay } from './money-payment-acts.ts'
import {
  balanceByFacts,
  createTogetherWorld,
  endCall,
  MoneyFacts,
  type TogetherWorld,
  togetherCommands,
} from './money-together.ts'
import { createMoneyWorld, leave, type MoneyWorld } from './money-world.ts'
import { createWorld, type World } from './world.ts'

export interface MoneyRuns {
  readonly numRuns: number
  readonly seed: number
  readonly maxCommands?: number
}

/** Auto top-up needs a saved card and a low balance, and a used code a booklet that was redeemed: few random stories reach them. */
const start = fc.constantFrom('newcomer', 'customer in a call', 'buyer of a booklet')

async function beginCall(model: MoneyModel, real: MoneyWorld): Promise<void> {
  for (const act of [checkout(5, true), pay(0), place('+5353123456'), answer])
    await act(model, real, undefined)
}

async function buyBooklet(model: MoneyModel, real: MoneyWorld): Promise<void> {
  for (const act of [orderGift(5), pay(0)]) await act(model, real, undefined)
}

/** Runs random stories of one customer's money against the model, with database failures. */
export async function checkModel({ numRuns, seed, maxCommands = 40 }: MoneyRuns): Promise<void> {
  await inWorld(world =>
    fc.assert(
      fc.asyncProperty(start, moneyCommands(maxCommands), async (who, commands) => {
        const real = await createMoneyWorld(world)
        const model = new MoneyModel()
        try {
          if (who === 'customer in a call') await beginCall(model, real)
          if (who === 'buyer of a booklet') await buyBooklet(model, real)
          await fc.asyncModelRun(() => ({ model, real }), commands)
        } finally {
          await leave(real)
        }
      }),
      { numRuns, seed },
    ),
  )
}

/** Runs all commands concurrently, with database statements in any order (REL-31). */
export async function checkTogether({ numRuns, seed }: MoneyRuns): Promise<void> {
  await inWorld(world =>
    fc.assert(
      fc.asyncProperty(togetherCommands, fc.scheduler(), async (commands, scheduler) => {
        const facts = new MoneyFacts()
        const real = await createTogetherWorld(world, scheduler)
        try {
          await fc.scheduledModelRun(scheduler, () => ({ model: facts, real }), commands)
          await scheduler.waitFor(Promise.all(real.begun))
          await judge(world, facts, real)
        } finally {
          await leave(real)
        }
      }),
      { numRuns, seed },
    ),
  )
}

async function judge(world: World, facts: MoneyFacts, real: TogetherWorld): Promise<void> {
  await endCall(real, real.services)
  expect(await findBreaches(world.db)).toEqual([])
  const user = await findUser(world.db, real.userId)
  expect(user?.balance).toBe(await balanceByFacts(facts, real))
}

async function inWorld(check: (world: World) => Promise<void>): Promise<void> {
  const world = await createWorld()
  try {
    await check(world)
  } finally {
    await world.close()
  }
}
