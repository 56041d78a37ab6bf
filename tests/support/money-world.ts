import { expect } from 'vitest'
import { microUsdPerUsd } from '#lib/money/money.ts'
import { chargeDueMinutes } from '#server/calls/metering/meter.ts'
import { reconcileCalls } from '#server/calls/settlement/reconcile-calls.ts'
import { type CallPolicy, defaultCallCreditTerms, defaultPaymentPolicy } from '#server/config/policy.ts'
import type { Services } from '#server/context.ts'
import type { Database } from '#server/db/port.ts'
import { findUser, type UserRow } from '#server/identity/users.ts'
import { defaultBudgets } from '#server/limits/budget-policy.ts'
import type { PaymentUpdate } from '#server/payment-provider/port.ts'
import { receiveEvent } from '#server/payments/receive.ts'
import { findBreaches } from './books.ts'
import { Failpoint, failAt } from './failpoint.ts'
import { type MoneyModel, modelTopUpRate } from './money-model.ts'
import type { CardAnswer } from './money-model-parts.ts'
import { addCaller } from './storm-callers.ts'
import type { World } from './world.ts'

/** The statement at which the database fails while a command runs. */
export interface Break {
  readonly at: number
  readonly where: 'before' | 'after'
}

/** One customer of the real services, on which the model's commands act. */
export interface MoneyWorld {
  readonly world: World
  readonly services: Services
  readonly userId: string
  /** Micro-dollars that earlier customers left in the account `gifts`. */
  readonly giftsBefore: number
  /** The saved card's answer from now on. */
  card: CardAnswer
  readonly delivered: { readonly body: string; readonly signature: string }[]
}

let customers = 0

/** A customer with an empty balance and a free call, in a world shared with earlier customers. */
export async function createMoneyWorld(world: World): Promise<MoneyWorld> {
  customers += 1
  const { id } = await addCaller(world.services, `customer-${customers}`, { cents: 0, free: true })
  const tiers = { never_paid: modelTopUpRate, newly_paid: modelTopUpRate, established: modelTopUpRate }
  const { provider } = world
  const real: MoneyWorld = {
    world,
    userId: id,
    giftsBefore: await giftsIn(world.db),
    card: 'pays',
    delivered: [],
    services: {
      ...world.services,
      policy: moneyPolicy(world.services.policy),
      paymentPolicy: {
        ...defaultPaymentPolicy,
        checkoutsPerHour: 1000,
        autoTopUp: { ...defaultPaymentPolicy.autoTopUp, tiers },
      },
      payments: {
        ...provider,
        chargeKeptCard: async charge => {
          provider.keptCard = real.card === 'pays' || real.card === 'slow' ? null : real.card
          const charged = await provider.chargeKeptCard(charge)
          const { paymentId, amountMicroUsd } = charge
          if (real.card === 'pays') {
            provider.known.set(intentOf(paymentId), paidUpdate(paymentId, amountMicroUsd, null, null))
          }
          return charged
        },
      },
    },
  }
  return real
}

/** Refunds of calls that our restart cut, and kept free calls as they are sold, but only counted by account. */
function moneyPolicy(policy: CallPolicy): CallPolicy {
  const { maxRestarts } = defaultCallCreditTerms
  const brief = defaultBudgets.brief_free_call.filter(({ per }) => per === 'account')
  return {
    ...policy,
    credit: { ...policy.credit, maxRestarts },
    budgets: { ...policy.budgets, brief_free_call: brief },
  }
}

export const intentOf = (paymentId: string) => `pi_${paymentId}`

/** @param keptFor the user whose card is saved */
export function paidUpdate(
  paymentId: string,
  amountMicroUsd: number,
  checkoutRef: string | null,
  keptFor: string | null,
): PaymentUpdate {
  return {
    kind: 'paid',
    paymentId,
    checkoutRef,
    intentRef: intentOf(paymentId),
    amountMicroUsd,
    card: { brand: 'visa', last4: '4242', fingerprint: `fp-${paymentId}` },
    kept: keptFor === null ? null : { customerRef: `cus_${keptFor}`, methodRef: `pm_${keptFor}` },
  }
}

/**
 * Runs work on a database that may fail in the middle, and repeats it after a failure, as a client would.
 * @param recover the effect of time and workers before the repetition
 */
export async function attempt<Value>(
  { world, services }: MoneyWorld,
  breaks: Break | undefined,
  work: (services: Services) => Promise<Value>,
  recover: () => Promise<unknown> = async () => undefined,
): Promise<{ value: Value; broken: boolean }> {
  if (breaks === undefined) return { value: await work(services), broken: false }
  const failing = failAt(world.db, breaks.at, breaks.where)
  const tried = await work({ ...services, db: failing.db }).then(
    value => ({ value }),
    (error: unknown) => {
      if (error instanceof Failpoint) return undefined
      throw error
    },
  )
  const broken = failing.count() >= breaks.at
  if (broken) await recover()
  return { value: tried === undefined ? await work(services) : tried.value, broken }
}

/** Delivers an event of the provider, and again with the same id if the database failed. */
export async function deliver(real: MoneyWorld, update: PaymentUpdate, breaks?: Break): Promise<void> {
  const event = real.world.provider.event(update)
  real.delivered.push(event)
  await deliverAgain(real, event, breaks)
}

export async function deliverAgain(
  real: MoneyWorld,
  { body, signature }: { readonly body: string; readonly signature: string },
  breaks?: Break,
): Promise<void> {
  const { value } = await attempt(real, breaks, s => receiveEvent(s, Buffer.from(body), signature))
  expect(value).toEqual({ ok: true, value: undefined })
}

export async function meter(services: Services): Promise<void> {
  while ((await chargeDueMinutes(services)) > 0);
}

/** Compares the model with the books, which must be consistent themselves. */
export async function compare(model: MoneyModel, real: MoneyWorld): Promise<void> {
  const { db } = real.world
  const { userId } = real
  expect(await findBreaches(db)).toEqual([])
  await compareGifts(model, real)
  const payments = await db.query(
    `select id, kind, state, amount, bonus, held, released_at is not null as released from payment
     where user_id = $1 order by id`,
    [userId],
  )
  if (model.isDeleted) {
    expect(await findUser(db, userId)).toBeUndefined()
    const [account] = await db.query<{ balance: number }>('select balance from account where user_id = $1', [
      userId,
    ])
    expect({ balance: account?.balance, payments }).toEqual({
      balance: model.balance,
      payments: paymentsOf(model),
    })
    return
  }
  const user = (await findUser(db, userId)) as UserRow
  const [call] = await db.query(
    `select call.id as "callId", call.rate, free, limit_ms / 60000 as "limitMinutes",
       call.state = 'answered' as answered, coalesce(minutes, 0) as minutes
     from call left join call_meter on call_id = call.id where user_id = $1 and call.state <> 'ended'`,
    [userId],
  )
  const requests = await db.query('select 1 from auto_topup_wish where account_id = $1', [user.account_id])
  expect({
    balance: usd(user.balance),
    canCall: user.can_call,
    freeCall: user.free_call,
    hasCard: user.has_saved_payment_method,
    autoTopUp: user.auto_topup_enabled,
    topUpFailures: user.auto_topup_failures,
    topUpRequested: requests.length > 0,
    call,
    payments,
  }).toEqual(expectedOf(model))
}

function expectedOf(model: MoneyModel): unknown {
  const { balance, canCall, freeCall, hasCard, autoTopUp, topUpFailures, topUpRequested, call } = model
  return {
    ...{ balance: usd(balance), canCall, freeCall, hasCard, autoTopUp, topUpFailures, topUpRequested },
    call: call && {
      callId: call.callId,
      rate: call.rate,
      free: call.free,
      limitMinutes: call.limitMinutes,
      answered: call.answeredAt !== undefined,
      minutes: call.minutes,
    },
    payments: paymentsOf(model),
  }
}

function paymentsOf({ payments }: MoneyModel) {
  return payments
    .map(({ id, kind, state, amount, bonus, held, released }) => {
      return { id, kind, state, amount, bonus, held, released }
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** What waits in `gifts` is what nobody has redeemed, and a redeemer has what was redeemed, whatever follows. */
async function compareGifts({ payments }: MoneyModel, { world, giftsBefore }: MoneyWorld): Promise<void> {
  const gifts = payments.flatMap(({ gift }) => (gift === undefined ? [] : [gift]))
  const unredeemed = gifts.reduce((sum, gift) => sum + gift.unredeemed, 0)
  expect((await giftsIn(world.db)) - giftsBefore).toBe(unredeemed)
  for (const { redeemed } of gifts) {
    if (redeemed === undefined) continue
    const friend = await findUser(world.db, redeemed.by)
    expect(friend?.balance).toBe(redeemed.amount)
  }
}

async function giftsIn(db: Database): Promise<number> {
  const [gifts] = await db.query<{ balance: number }>(
    `select coalesce(sum(case when account.id = credit_account then amount else -amount end), 0)::bigint as balance
     from account left join transfer on account.id in (debit_account, credit_account) where account.kind = 'gifts'`,
  )
  return gifts?.balance ?? Number.NaN
}

const usd = (microUsd: number) => microUsd / microUsdPerUsd

/** Cleans up, so that nothing of this customer becomes due while the next one is tested. */
export async function leave({ world: { db }, services, userId }: MoneyWorld): Promise<void> {
  await reconcileCalls(services, 0)
  await db.query('update app_user set auto_topup_enabled = false where id = $1', [userId])
  await db.query('delete from auto_topup_wish')
  await db.query(`update payment set state = 'expired' where user_id = $1 and state = 'open'`, [userId])
}
