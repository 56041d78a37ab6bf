import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openStripeAccount, type StripeAccount } from './stripe-account.ts'

let stripe: StripeAccount
beforeEach(async () => {
  stripe = await openStripeAccount()
})
afterEach(() => stripe.api.close())

describe('an event', () => {
  test('holds for 300 s by our clock, and a clock that is ten minutes ahead rejects it', async () => {
    await stripe.buy()
    const completed = stripe.take('checkout.session.completed')
    const now = stripe.clock.now()
    const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000)
    expect(await stripe.read(completed, ago(299))).toMatchObject({ ok: true })
    expect(await stripe.read(completed, ago(302))).toEqual({ ok: false, code: 'forged' })
    expect(await stripe.read(completed, ago(600))).toEqual({ ok: false, code: 'forged' })
    expect(await stripe.read(completed, ago(-600))).toMatchObject({ ok: true })
  })

  test('signed with another secret is forged', async () => {
    await stripe.buy()
    const completed = stripe.take('checkout.session.completed')
    const stranger = stripe.connect({ webhookSecret: 'whsec_another' })
    expect(await stripe.read(completed, stripe.clock.now(), stranger)).toEqual({ ok: false, code: 'forged' })
  })

  test('of real money is nothing for a test key, nor the other way round, nor one of another account', async () => {
    await stripe.buy()
    const completed = stripe.take('checkout.session.completed')
    const unreadable = { ok: false, code: 'unreadable' }
    expect(await stripe.read({ ...completed, livemode: true })).toEqual(unreadable)
    expect(await stripe.read({ ...completed, account: 'acct_1Another' })).toEqual(unreadable)
    expect(await stripe.read({ ...completed, object: 'v2.core.event' })).toEqual(unreadable)
    const live = stripe.connect({ secretKey: 'rk_live_51OnLoopbackOnly' })
    expect(await stripe.read(completed, stripe.clock.now(), live)).toEqual(unreadable)
  })

  test('of a complete but unpaid checkout is no payment; the later one is, or the failure', async () => {
    const { order, checkoutRef, paid } = await stripe.buy()
    const completed = stripe.take('checkout.session.completed')
    const unpaid = { ...completed, data: { object: { ...completed.data.object, payment_status: 'unpaid' } } }
    expect(await stripe.read(unpaid)).toMatchObject({ value: { update: { kind: 'other' } } })
    const later = { ...completed, type: 'checkout.session.async_payment_succeeded' }
    expect(await stripe.read(later)).toMatchObject({ value: { update: paid } })
    expect(await stripe.read({ ...unpaid, type: 'checkout.session.async_payment_failed' })).toMatchObject({
      value: { update: { kind: 'charge_failed', paymentId: order.paymentId, intentRef: paid.intentRef } },
    })
    expect(paid.checkoutRef).toBe(checkoutRef)
  })

  test('of a payment in another currency is unreadable: we asked for no such payment', async () => {
    const { paid } = await stripe.buy()
    const completed = stripe.take('checkout.session.completed')
    stripe.api.account.changeCurrency(paid.intentRef, 'eur')
    expect(await stripe.read(completed)).toEqual({ ok: false, code: 'unreadable' })
  })

  test('of a charge that belongs to a checkout is left to the checkout', async () => {
    await stripe.buy()
    expect(await stripe.read(stripe.take('payment_intent.succeeded'))).toMatchObject({
      value: { update: { kind: 'other' } },
    })
  })

  test.each([
    'checkout.session.completed',
    'checkout.session.expired',
    'checkout.session.async_payment_failed',
    'payment_intent.succeeded',
    'payment_intent.payment_failed',
  ])('%s of what others sell on the same account is nothing to us', async type => {
    await stripe.buy()
    const event = stripe.take(
      type.startsWith('checkout') ? 'checkout.session.completed' : 'payment_intent.succeeded',
    )
    const object = { ...event.data.object, metadata: {} }
    expect(await stripe.read({ ...event, type, data: { object } })).toMatchObject({
      value: { update: { kind: 'other' } },
    })
  })

  test('of a refund says so, whoever made it and by whichever event', async () => {
    const { paid } = await stripe.buy('refunds_slowly')
    const made = stripe.api.account.createRefund({ payment_intent: paid.intentRef, amount: 500 })
    const refund = {
      kind: 'refund',
      refundRef: made.id,
      intentRef: paid.intentRef,
      amountMicroUsd: 5_000_000,
    }
    expect(await stripe.read(stripe.take('charge.refunded'))).toMatchObject({
      value: { update: { ...refund, state: 'pending' } },
    })
    stripe.api.account.changeRefund(made.id, 'failed')
    expect(await stripe.read(stripe.take('refund.failed'))).toMatchObject({
      value: { update: { ...refund, state: 'failed' } },
    })
  })

  test('of a refund in another currency is not one of a payment of ours', async () => {
    const { paid } = await stripe.buy('refunds_slowly')
    stripe.api.account.createRefund({ payment_intent: paid.intentRef, amount: 500 })
    const created = stripe.take('refund.created')
    const object = { ...created.data.object, currency: 'eur' }
    expect(await stripe.read({ ...created, data: { object } })).toMatchObject({
      value: { update: { kind: 'foreign_currency', intentRef: paid.intentRef } },
    })
  })

  test.each(['warning_needs_response', 'warning_under_review', 'prevented'] as const)(
    'of an inquiry, %s, takes nothing from anybody',
    async status => {
      const { paid } = await stripe.buy()
      stripe.api.account.dispute(paid.intentRef, status)
      const created = stripe.take('charge.dispute.created')
      expect(await stripe.read(created)).toMatchObject({ value: { update: { kind: 'other' } } })
    },
  )

  test('of fraud that is about a charge without an intent is ignored', async () => {
    const { paid } = await stripe.buy()
    stripe.api.account.reportFraud(paid.intentRef)
    const reported = stripe.take('radar.early_fraud_warning.created')
    expect(await stripe.read(reported)).toMatchObject({
      value: { update: { kind: 'fraud_warning', intentRef: paid.intentRef } },
    })
    const { payment_intent: _, ...object } = reported.data.object
    expect(await stripe.read({ ...reported, data: { object } })).toMatchObject({
      value: { update: { kind: 'other' } },
    })
  })

  test('of a dispute in the bank’s own currency is about the whole payment', async () => {
    const { paid } = await stripe.buy()
    const disputeRef = stripe.api.account.dispute(paid.intentRef, 'needs_response')
    const created = stripe.take('charge.dispute.created')
    const object = { ...created.data.object, currency: 'eur', amount: 2_312 }
    const dispute = { kind: 'dispute', disputeRef, amountMicroUsd: 25_000_000, state: 'open' }
    expect(await stripe.read({ ...created, data: { object } })).toMatchObject({ value: { update: dispute } })
    const appealed = { ...created.data.object, status: 'appeal_under_review' }
    expect(await stripe.read({ ...created, data: { object: appealed } })).toMatchObject({
      value: { update: { ...dispute, state: 'lost' } },
    })
  })
})
