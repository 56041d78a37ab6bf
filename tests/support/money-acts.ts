import { expect } from 'vitest'
import { creditsForUsd } from '#lib/money/credits.ts'
import { microUsdPerUsd } from '#lib/money/money.ts'
import { creditAccount } from '#server/admin/credit-account.ts'
import { restrictAccount } from '#server/admin/restrict.ts'
import { createCallControl } from '#server/calls/carrier/control.ts'
import { claimCall } from '#server/calls/settlement/credit.ts'
import { reconcileCalls } from '#server/calls/settlement/reconcile-calls.ts'
import { findUser } from '#server/identity/users.ts'
import { runAutoTopUps } from '#server/payments/auto-top-up/auto-top-up-charge.ts'
import { setAutoTopUp } from '#server/payments/auto-top-up/auto-top-up-toggle.ts'
import { openCheckout } from '#server/payments/checkout.ts'
import { offerRefund, repeatRefunds, requestRefund } from '#server/payments/refunds/refund-request.ts'
import { refundGraceMs } from '#server/payments/refunds/refund-rows.ts'
import { releasePayment } from '#server/payments/release.ts'
import type { MoneyModel } from './money-model.ts'
import type { CardAnswer, ModelClaim, ModelPayment } from './money-model-parts.ts'
import {
  attempt,
  type Break,
  deliver,
  deliverAgain,
  intentOf,
  type MoneyWorld,
  meter,
  paidUpdate,
} from './money-world.ts'

/** Applies a command to the model and to the real services, and compares their results. */
export type Act = (model: MoneyModel, real: MoneyWorld, breaks: Break | undefined) => Promise<void>

/** Rates of 0.02, 0.355 and 1.14 USD a minute; the last is too expensive for a free call. */
export const numbers = {
  '+12125550100': 20_000,
  '+37491123456': 355_000,
  '+5353123456': 1_140_000,
} as const
export type Callee = keyof typeof numbers

const checkoutMs = 10 * 60_000
const nowOf = ({ world }: MoneyWorld) => world.clock.now().getTime()
const operator = { reason: 'a test', actor: 'test' } as const

async function emailOf({ world, userId }: MoneyWorld): Promise<string> {
  return (await findUser(world.db, userId))?.email ?? ''
}

export const credit =
  (cents: number): Act =>
  async (model, real, breaks) => {
    const amountMicroUsd = cents * 10_000
    const requestId = real.services.random.uuid()
    const email = await emailOf(real)
    const order = { ...operator, requestId, email, amountMicroUsd }
    const { value } = await attempt(real, breaks, s => creditAccount(s, order))
    model.adjust(amountMicroUsd)
    expect(value).toEqual({ ok: true, value: model.balance })
  }

export const restrict =
  (action: 'block' | 'unblock'): Act =>
  async (model, real, breaks) => {
    const order = { ...operator, email: await emailOf(real) }
    await attempt(real, breaks, s => restrictAccount(s, action, order))
    if (action === 'block') model.block('operator')
    else model.letCallAgain(nowOf(real))
  }

export const switchTopUp =
  (on: boolean): Act =>
  async (model, real, breaks) => {
    const { value } = await attempt(real, breaks, s => setAutoTopUp(s, real.userId, on))
    expect(value.ok).toBe(!on || model.hasCard)
    if (value.ok) model.switchTopUp(on)
  }

export const place =
  (to: Callee): Act =>
  async (model, real, breaks) => {
    const rate = numbers[to]
    const terms = model.terms(rate)
    const { value: placement } = await attempt(
      real,
      breaks,
      s => createCallControl(s).place({ userId: real.userId, to, callerId: undefined }),
      // End a call that only the server knows of before the next one.
      async () => model.call === undefined && (await reconcileCalls(real.services, 0)),
    )
    if (typeof terms === 'string') {
      expect(placement).toMatchObject({ kind: 'refuse', code: terms })
      return
    }
    const { free, limitMinutes } = terms
    expect(placement).toMatchObject({ kind: 'connect', limitMs: limitMinutes * 60_000 })
    if (placement.kind !== 'connect') return
    const { callId } = placement
    model.place({ callId, rate, free, limitMinutes, answeredAt: undefined, minutes: 0, exhausted: false })
  }

export const answer: Act = async (model, real, breaks) => {
  const { call } = model
  if (call === undefined) return
  await attempt(real, breaks, async s => {
    await createCallControl(s).report({ kind: 'answered', callId: call.callId })
    await meter(s)
  })
  model.answer(call, nowOf(real))
}

export const end: Act = async (model, real, breaks) => {
  const { call } = model
  if (call === undefined) return
  const answeredMs = call.answeredAt === undefined ? null : nowOf(real) - call.answeredAt
  await attempt(real, breaks, s =>
    createCallControl(s).report({ kind: 'ended', callId: call.callId, answeredMs, end: 'caller_hung_up' }),
  )
  model.end(call, nowOf(real))
}

export const claimLastCall: Act = async (model, real, breaks) => {
  const { lastCall } = model
  if (lastCall === undefined) return
  const { value } = await attempt(real, breaks, s => claimCall(s, real.userId, lastCall.callId, 'echo'))
  const expected = model.claimCall(lastCall, nowOf(real))
  if (typeof expected === 'string') expect(value).toMatchObject({ ok: false, code: expected })
  else expect(value).toEqual({ ok: true, value: expected / microUsdPerUsd })
}

export const pass =
  (seconds: number): Act =>
  async (model, real, breaks) => {
    real.world.clock.advance(seconds * 1000)
    await attempt(real, breaks, meter)
    if (model.pass(nowOf(real))) await end(model, real, undefined)
  }

export const checkout =
  (usd: number, savesCard: boolean): Act =>
  async (model, real, breaks) => {
    const purchase = {
      amountUsd: usd,
      credits: creditsForUsd(usd),
      referralId: null,
      autoTopUpEnabled: savesCard,
    }
    const { value } = await attempt(real, breaks, s => openCheckout(s, real.userId, purchase))
    expect(value.ok).toBe(true)
    if (!value.ok) return
    const id = value.value.url.slice('https://pay.example/cs_'.length)
    const now = nowOf(real)
    const same = model.payments.findLast(
      payment =>
        payment.kind === 'checkout' &&
        payment.state === 'open' &&
        payment.amount === usd * microUsdPerUsd &&
        payment.savesCard === savesCard &&
        payment.createdAt > now - checkoutMs,
    )
    if (same === undefined) model.open(id, 'checkout', usd * microUsdPerUsd, savesCard, now)
    else expect(id).toBe(same.id)
  }

const about =
  (which: number, act: (payment: ModelPayment, ...rest: Parameters<Act>) => Promise<void>): Act =>
  async (model, ...rest) => {
    const payment = model.payments[which % model.payments.length]
    if (payment !== undefined) await act(payment, model, ...rest)
  }

export const pay = (which: number) =>
  about(which, async (payment, model, real, breaks) => {
    const { id, amount } = payment
    const isCheckout = payment.kind === 'checkout'
    // The provider has a card to save, even if the buyer has changed the choice since.
    const update = paidUpdate(id, amount, isCheckout ? `cs_${id}` : null, isCheckout ? real.userId : null)
    await deliver(real, update, breaks)
    model.pay(payment, nowOf(real))
  })

export const decline = (which: number) =>
  about(which, async (payment, model, real, breaks) => {
    const { id: paymentId } = payment
    const intentRef = intentOf(paymentId)
    await deliver(real, { kind: 'charge_failed', paymentId, intentRef, refusal: 'declined' }, breaks)
    // A failed checkout can still be paid with another card.
    if (payment.kind === 'auto_topup') model.failTopUp(payment, 'declined')
  })

export const expire = (which: number) =>
  about(which, async (payment, _model, real, breaks) => {
    if (payment.kind !== 'checkout') return
    const { id: paymentId } = payment
    await deliver(real, { kind: 'checkout_expired', paymentId, checkoutRef: `cs_${paymentId}` }, breaks)
    if (payment.state === 'open') payment.state = 'expired'
  })

export const release = (which: number) =>
  about(which, async (payment, model, real, breaks) => {
    const expected = model.release(payment)
    const { value, broken } = await attempt(real, breaks, s => releasePayment(s, payment.id, operator))
    // If it was done before the database failed, the retry has nothing left to do.
    if (value.ok || !broken) expect(value.ok ? value.value : value.code).toBe(expected)
  })

function deliverClaim(real: MoneyWorld, payment: ModelPayment, claim: ModelClaim, breaks?: Break) {
  const { ref, kind, amount: amountMicroUsd, state } = claim
  const common = { intentRef: intentOf(payment.id), amountMicroUsd, state }
  const update =
    kind === 'refund' ? { kind, refundRef: ref, key: null, ...common } : { kind, disputeRef: ref, ...common }
  return deliver(real, update as Parameters<typeof deliver>[1], breaks)
}

/** A refund by us, or a dispute by a bank, of some percent of a payment. */
export const claim = (which: number, kind: ModelClaim['kind'], percent: number) =>
  about(which, async (payment, model, real, breaks) => {
    const ref = `${kind}-${payment.id}-${payment.claims.length}`
    const cents = Math.floor((payment.amount / 10_000) * (percent / 100))
    const state = kind === 'refund' ? 'pending' : 'open'
    const made: ModelClaim = {
      ref,
      kind,
      amount: cents * 10_000,
      state,
      heardAt: nowOf(real),
      asked: false,
      spared: 0,
    }
    await deliverClaim(real, payment, made, breaks)
    model.claim(payment, made)
  })

/** An event about the last refund or dispute of a payment. It may arrive late. */
export const goOn = (which: number, well: boolean, final: boolean) =>
  about(which, async (payment, model, real, breaks) => {
    const last = payment.claims.at(-1)
    if (last === undefined) return
    const states =
      last.kind === 'refund'
        ? (['pending', 'succeeded', 'failed'] as const)
        : (['open', 'won', 'lost'] as const)
    const state = states[final ? (well ? 1 : 2) : 0]
    await deliverClaim(real, payment, { ...last, state }, breaks)
    model.moveClaim(payment, last, state)
  })

export const askRefund = (which: number, answered: 'pending' | 'succeeded' | 'refused') =>
  about(which, async (payment, model, real, breaks) => {
    const { world, services, userId } = real
    const expected = model.refundOffer(payment, nowOf(real))
    const offer = await offerRefund(services, userId, payment.id)
    if (typeof expected === 'string') {
      expect(offer).toMatchObject({ ok: false, code: expected })
      return
    }
    const amount = expected / microUsdPerUsd
    expect(offer).toMatchObject({ ok: true, value: { amount } })
    world.provider.refunding = answered
    await attempt(real, breaks, s => requestRefund(s, userId, payment.id, amount))
    await world.db.query(
      `update refund set asked_at = asked_at - $2::int * interval '1 millisecond' where payment_id = $1`,
      [payment.id, refundGraceMs],
    )
    await repeatRefunds(services)
    const [asked] = await world.db.query<{ ref: string }>(
      `select ref from refund where payment_id = $1 and requested_by = 'user' order by (state = 'failed'), created_at desc limit 1`,
      [payment.id],
    )
    const common = { ref: asked?.ref ?? 'none', kind: 'refund', amount: expected, asked: true } as const
    const state = answered === 'refused' ? 'pending' : answered
    const made: ModelClaim = { ...common, state, heardAt: nowOf(real), spared: payment.clawedBack.lost }
    model.claim(payment, made)
    if (answered === 'refused') model.moveClaim(payment, made, 'failed')
  })

export const work =
  (card: CardAnswer): Act =>
  async (model, real, breaks) => {
    const { world, userId } = real
    const now = nowOf(real)
    real.card = card
    const amount = model.consumeRequest(now)
    await attempt(real, breaks, runAutoTopUps, async () => {
      // The lease of a process that died expires.
      await world.db.query('update auto_topup_charge set try_at = $1', [world.clock.now()])
      await runAutoTopUps(real.services)
    })
    if (amount === undefined) return
    const [made] = await world.db.query<{ id: string }>(
      `select id from payment where user_id = $1 and kind = 'auto_topup' and created_at = $2`,
      [userId, world.clock.now()],
    )
    model.open(made?.id ?? 'none', 'auto_topup', amount, false, now)
    const payment = model.payments.at(-1)
    if (payment === undefined || card === 'slow') return
    if (card === 'pays') model.pay(payment, now)
    else model.failTopUp(payment, card)
  }

export const redeliver =
  (which: number): Act =>
  async (_model, real, breaks) => {
    const event = real.delivered[which % real.delivered.length]
    if (event !== undefined) await deliverAgain(real, event, breaks)
  }
