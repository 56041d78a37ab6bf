import { expect } from 'vitest'
import { creditsForUsd } from '#lib/money/credits.ts'
import { microUsdPerUsd } from '#lib/money/money.ts'
import type { PaymentUpdate } from '#server/payment-provider/port.ts'
import { runAutoTopUps } from '#server/payments/auto-top-up/auto-top-up-charge.ts'
import { openCheckout } from '#server/payments/checkout.ts'
import { receiveEvent } from '#server/payments/receive.ts'
import { offerRefund, repeatRefunds, requestRefund } from '#server/payments/refunds/refund-request.ts'
import { refundGraceMs } from '#server/payments/refunds/refund-rows.ts'
import { releasePayment } from '#server/payments/release.ts'
import { type Act, nowOf, operator } from './money-acts.ts'
import type { CardAnswer, ModelClaim, ModelPayment } from './money-model-parts.ts'
import {
  attempt,
  type Break,
  deliver,
  deliverAgain,
  intentOf,
  type MoneyWorld,
  paidUpdate,
} from './money-world.ts'

const checkoutMs = 10 * 60_000

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
    expect(value.ok).toBe(model.canCall)
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
    const isCheckout = payment.kind !== 'auto_topup'
    // The provider has a card to save, even if the buyer has changed the choice since.
    const update = paidUpdate(id, amount, isCheckout ? `cs_${id}` : null, isCheckout ? real.userId : null)
    await deliver(real, update, breaks)
    model.pay(payment, nowOf(real))
  })

export const decline = (which: number) =>
  about(which, async (payment, model, real, breaks) => {
    const { id: paymentId } = payment
    const intentRef = intentOf(paymentId)
    await deliver(real, { kind: 'charge_failed', paymentId, intentRef, rejection: 'declined' }, breaks)
    // A failed checkout can still be paid with another card.
    if (payment.kind === 'auto_topup') model.failTopUp(payment, 'declined')
  })

export const expire = (which: number) =>
  about(which, async (payment, _model, real, breaks) => {
    if (payment.kind === 'auto_topup') return
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

function claimUpdate(payment: ModelPayment, claim: ModelClaim): PaymentUpdate {
  const { ref, kind, amount: amountMicroUsd, state } = claim
  const common = { intentRef: intentOf(payment.id), amountMicroUsd, state }
  const update =
    kind === 'refund' ? { kind, refundRef: ref, key: null, ...common } : { kind, disputeRef: ref, ...common }
  return update as PaymentUpdate
}

function deliverClaim(real: MoneyWorld, payment: ModelPayment, claim: ModelClaim, breaks?: Break) {
  return deliver(real, claimUpdate(payment, claim), breaks)
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
    if (model.exceeds(payment, made)) return deliverExcess(real, payment, made)
    await deliverClaim(real, payment, made, breaks)
    model.claim(payment, made)
  })

/** What exceeds a payment is refused. One that waits for its payment is left out: it would be dropped with it. */
async function deliverExcess(real: MoneyWorld, payment: ModelPayment, excess: ModelClaim): Promise<void> {
  if (payment.state !== 'paid') return
  const { body, signature } = real.world.provider.event(claimUpdate(payment, excess))
  const answer = await receiveEvent(real.services, Buffer.from(body), signature)
  expect(answer).toEqual({ ok: false, code: 'contradiction' })
}

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
