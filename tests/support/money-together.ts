import fc from 'fast-check'
import { bonusCredits } from '#lib/money/credits.ts'
import { microUsdPerUsd } from '#lib/money/money.ts'
import { createCallControl } from '#server/calls/carrier/control.ts'
import type { Services } from '#server/context.ts'
import type { Database, Transaction } from '#server/db/port.ts'
import { runAutoTopUps } from '#server/payments/auto-top-up/auto-top-up-charge.ts'
import { openCheckout } from '#server/payments/checkout.ts'
import { receiveEvent } from '#server/payments/receive.ts'
import { offerRefund, requestRefund } from '#server/payments/refunds/refund-request.ts'
import { createMoneyWorld, deliver, intentOf, type MoneyWorld, meter, paidUpdate } from './money-world.ts'
import { connectCall } from './simulated-network.ts'
import type { World } from './world.ts'

/** What happened, independent of the order in which the server learned of it. Micro-dollars. */
export class MoneyFacts {
  readonly paid = new Set<number>()
  readonly disputes = new Map<number, 'open' | 'won'>()
  readonly refunds = new Map<number, number>()
}

/** A customer in a call, on a database whose statements run in the scheduler's order. */
export interface TogetherWorld extends MoneyWorld {
  readonly callId: string
  readonly startedAt: number
  /** Open checkouts; the first is already paid. */
  readonly orders: readonly string[]
  begin(work: (services: Services) => Promise<unknown>): void
  readonly begun: Promise<unknown>[]
  /** Refunds that the user requested and got: micro-dollars by payment. */
  readonly asked: Map<number, number>
}

/** Prices of the checkouts in US dollars. */
export const prices = [5, 6, 7, 50] as const

export async function createTogetherWorld(world: World, scheduler: fc.Scheduler): Promise<TogetherWorld> {
  const real = await createMoneyWorld(world)
  const orders: string[] = []
  for (const amountUsd of prices) {
    const purchase = {
      amountUsd,
      credits: amountUsd + bonusCredits(amountUsd),
      autoTopUpEnabled: amountUsd === prices[0],
    }
    const opened = await openCheckout(real.services, real.userId, purchase)
    if (!opened.ok) throw new Error(opened.code)
    orders.push(opened.value.url.slice('https://pay.example/cs_'.length))
  }
  await deliver(real, paidOf(real, orders, 0))
  await world.db.query(`update app_user set free_call = 'used' where id = $1`, [real.userId])
  const control = createCallControl(real.services)
  const { callId } = await connectCall(control, real.userId, '+5353123456')
  const services = { ...real.services, db: inTurns(world.db, scheduler) }
  const begun: Promise<unknown>[] = []
  return {
    ...real,
    callId,
    startedAt: world.clock.now().getTime(),
    orders,
    begun,
    asked: new Map(),
    begin: work => begun.push(work(services)),
  }
}

/** Each statement waits for the scheduler, also within transactions. */
function inTurns(db: Database, scheduler: fc.Scheduler): Database {
  const turn = (what: string) => scheduler.schedule(Promise.resolve(), what.trim().slice(0, 40))
  return {
    query: async (sql, parameters) => {
      await turn(sql)
      return db.query(sql, parameters)
    },
    transaction: async work => {
      await turn('begin')
      return db.transaction(async tx => {
        const wrapped: Transaction = {
          query: async (sql, parameters) => {
            await turn(sql)
            return tx.query(sql, parameters)
          },
          transaction: nested => nested(wrapped),
          script: sql => tx.script(sql),
        }
        const value = await work(wrapped)
        await turn('commit')
        return value
      })
    },
    close: () => db.close(),
  }
}

function paidOf(real: MoneyWorld, orders: readonly string[], n: number) {
  const id = orders[n] ?? ''
  return paidUpdate(id, priceOf(n), `cs_${id}`, n === 0 ? real.userId : null)
}

export const priceOf = (n: number) => (prices[n] ?? 0) * microUsdPerUsd

type TogetherCommand = fc.AsyncCommand<MoneyFacts, TogetherWorld>

function command(text: string, run: (facts: MoneyFacts, real: TogetherWorld) => void): TogetherCommand {
  return { check: () => true, run: async (facts, real) => run(facts, real), toString: () => text }
}

function deliverUpdate(
  real: TogetherWorld,
  update: Parameters<MoneyWorld['world']['provider']['event']>[0],
): void {
  const { body, signature } = real.world.provider.event(update)
  real.begin(services => receiveEvent(services, Buffer.from(body), signature))
}

const which = fc.nat(prices.length - 1)

/** Call charges, top-ups, refunds and disputes that run concurrently. */
export const togetherCommands = fc.commands<MoneyFacts, TogetherWorld, false>(
  [
    fc.constant(
      command('a minute begins', (_facts, real) => {
        real.world.clock.advance(60_000)
        real.begin(meter)
      }),
    ),
    fc.constant(command('auto top-up works', (_facts, real) => real.begin(runAutoTopUps))),
    which.map(n =>
      command(`payment ${n} is paid`, (facts, real) => {
        facts.paid.add(n)
        deliverUpdate(real, paidOf(real, real.orders, n))
      }),
    ),
    fc.tuple(which, fc.constantFrom(1, 3, 5)).map(([n, usd]) =>
      command(`payment ${n} is refunded by $${usd}`, (facts, real) => {
        // One refund per payment, which may be reported several times.
        const amountMicroUsd = facts.refunds.get(n) ?? usd * microUsdPerUsd
        facts.refunds.set(n, amountMicroUsd)
        const intentRef = intentOf(real.orders[n] ?? '')
        deliverUpdate(real, {
          kind: 'refund',
          refundRef: `re_${real.orders[n]}`,
          key: null,
          intentRef,
          amountMicroUsd,
          state: 'succeeded',
        })
      }),
    ),
    fc.tuple(which, fc.constantFrom('open', 'won')).map(([n, state]) =>
      command(`the dispute of payment ${n} is ${state}`, (facts, real) => {
        if (facts.disputes.get(n) !== 'won') facts.disputes.set(n, state)
        const order = real.orders[n] ?? ''
        const common = { disputeRef: `dp_${order}`, intentRef: intentOf(order) } as const
        deliverUpdate(real, { kind: 'dispute', ...common, amountMicroUsd: priceOf(n), state })
      }),
    ),
    which.map(n =>
      command(`a refund of payment ${n} is asked for`, (_facts, real) =>
        real.begin(async services => {
          const { userId, orders, asked, world } = real
          world.provider.refunding = 'succeeded'
          const offer = await offerRefund(services, userId, orders[n] ?? '')
          if (!offer.ok) return
          const given = await requestRefund(services, userId, orders[n] ?? '', offer.value.amount)
          if (given.ok) asked.set(n, given.value.amount * microUsdPerUsd)
        }),
      ),
    ),
    fc.constant(command('the call ends', (_facts, real) => real.begin(services => endCall(real, services)))),
  ],
  { maxCommands: 14, size: 'max' },
)

export async function endCall(real: TogetherWorld, services: Services): Promise<void> {
  const { callId, startedAt, world } = real
  const answeredMs = world.clock.now().getTime() - startedAt
  await createCallControl(services).report({ kind: 'ended', callId, answeredMs, end: 'caller_hung_up' })
}

/**
 * The expected balance according to the facts. Losses that the books record are added back; any other difference is
 * an error.
 */
export async function balanceByFacts(facts: MoneyFacts, real: TogetherWorld): Promise<number> {
  const { db } = real.world
  let balance = 0
  for (const [n, usd] of prices.entries()) {
    if (n > 0 && !facts.paid.has(n)) continue
    const [amount, bonus] = [priceOf(n), bonusCredits(usd) * microUsdPerUsd]
    const disputed = facts.disputes.get(n) === 'open' ? amount : 0
    const taken = (facts.refunds.get(n) ?? 0) + disputed + (real.asked.get(n) ?? 0)
    balance += amount + bonus - taken - Math.min(bonus, Math.floor((bonus * taken) / amount))
  }
  // Each charge of the saved card that reached the provider, counted once despite retries.
  const charges = real.world.provider.charges.filter(({ userId }) => userId === real.userId)
  const charged = new Map(charges.map(({ paymentId, amountMicroUsd }) => [paymentId, amountMicroUsd]))
  for (const amount of charged.values()) {
    balance += amount + bonusCredits(amount / microUsdPerUsd) * microUsdPerUsd
  }
  const [row] = await db.query<{ cost: number; lost: number }>(
    `select (select cost from call where id = $2) as cost, coalesce(sum(case when debit.kind in ('losses', 'dispute_losses')
       then transfer.amount when credit.kind = 'dispute_losses' then -transfer.amount else 0 end), 0)::bigint as lost
     from transfer join account debit on debit.id = debit_account join account credit on credit.id = credit_account
     left join payment on payment.id = payment_id where call_id = $2 or payment.user_id = $1`,
    [real.userId, real.callId],
  )
  return balance - (row?.cost ?? Number.NaN) + (row?.lost ?? Number.NaN)
}
