import Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { apiVersion } from '#server/payment-provider/stripe/client.ts'
import { type StripeApi, startStripeApi } from '#support/stripe-api.ts'

let api: StripeApi
beforeEach(async () => {
  api = await startStripeApi(() => new Date())
})
afterEach(() => api.close())

describe('the fake is as strict as Stripe', () => {
  const client = () => new Stripe(api.secretKey, { apiVersion, maxNetworkRetries: 0, ...api.address })
  const asked: Stripe.Checkout.SessionCreateParams = {
    mode: 'payment',
    success_url: 'https://farline.example',
    line_items: [
      {
        quantity: 1,
        price_data: { currency: 'usd', unit_amount: 500, product_data: { name: 'credits' } },
      },
    ],
  }

  test.each([
    [{ payment_method_types: ['card'] }, 'payment_method_types_no_longer_supported'],
    [{ amount: 500 }, 'parameter_unknown'],
    [{ payment_intent_data: { capture: true } }, 'parameter_unknown'],
    [{ success_url: undefined }, 'parameter_missing'],
    [{ line_items: [{ ...asked.line_items?.[0], quantity: -1 }] }, 'parameter_invalid'],
    [{ customer: 'cus_unknown' }, 'resource_missing'],
  ])('rejects %j: %s', async (change, code) => {
    const wrong = { ...asked, ...change } as Stripe.Checkout.SessionCreateParams
    await expect(client().checkout.sessions.create(wrong)).rejects.toMatchObject({ statusCode: 400, code })
  })

  test('a key answers alike to the same request, and to no other', async () => {
    const options = { idempotencyKey: 'one' }
    const first = await client().checkout.sessions.create(asked, options)
    expect((await client().checkout.sessions.create(asked, options)).id).toBe(first.id)
    const other = client().checkout.sessions.create({ ...asked, client_reference_id: 'x' }, options)
    await expect(other).rejects.toMatchObject({ rawType: 'idempotency_error' })
  })

  test('rejects another version of the API, or another key', async () => {
    const older = client().checkout.sessions.create(asked, { apiVersion: '2024-06-20' })
    await expect(older).rejects.toMatchObject({ statusCode: 400 })
    const stranger = client().checkout.sessions.create(asked, { apiKey: 'sk_test_other' })
    await expect(stranger).rejects.toMatchObject({ statusCode: 401 })
  })
})
