import { describe, expect, test } from 'vitest'
import { DatabaseUnavailable } from '#server/db/port.ts'
import { openApp } from '#support/app.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWeb } from '#support/web.ts'
import { order } from '../payments/buyer.ts'

const web = keepForFile(await createWeb())

let people = 0
async function newPerson() {
  people += 1
  const { token, userId } = await web.signUp(`payer-${people}@example.com`)
  const ask = (method: 'GET' | 'POST', url: string, payload?: object) =>
    web.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${token}` },
      ...(payload !== undefined && { payload }),
    })
  return {
    userId,
    checkOut: (purchase: object = {}) =>
      ask('POST', '/api/payments/create-checkout-session', {
        amount: 50,
        credits: 52,
        referralId: null,
        autoTopUpEnabled: false,
        ...purchase,
      }),
    toggle: (autoTopUpEnabled: boolean) =>
      ask('POST', '/api/payments/auto-topup-toggle', { autoTopUpEnabled }),
    payment: (id: string) => ask('GET', `/api/payments/${id}`),
    me: async () => (await ask('GET', '/api/protected/me')).json(),
    transfers: (cursor?: string) =>
      ask('GET', `/api/transfers${cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`}`),
  }
}

function postEvent(event: { body: string; signature: string }, provider = 'local', headers: object = {}) {
  return web.app.inject({
    method: 'POST',
    url: `/api/webhooks/${provider}`,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'simulated-signature': event.signature,
      ...headers,
    },
    payload: event.body,
  })
}

describe('checkout', () => {
  test('from the press to the credits', async () => {
    const anna = await newPerson()
    const opened = await anna.checkOut()
    expect(opened.statusCode).toBe(200)
    const id = opened.json().url.split('cs_')[1]
    const waiting = { id, state: 'waiting', amount: 50, credits: 52, held: 0 }
    expect((await anna.payment(id)).json()).toEqual(waiting)
    const one = await order(web, anna.userId, 50)
    expect(one.id).toBe(id)
    const answer = await postEvent(web.provider.event(one.paid()))
    expect([answer.statusCode, answer.json()]).toEqual([200, { received: true }])
    expect((await anna.payment(id)).json()).toEqual({ ...waiting, state: 'paid' })
    expect((await anna.me()).credits).toBe(52)
    const [mail] = await web.readMails()
    expect(mail?.subject).toBe('Your receipt, $50.00')
  })

  test('rejects an invalid amount, another price, and anyone who is not signed in', async () => {
    const anna = await newPerson()
    for (const purchase of [
      { amount: 4 },
      { amount: 4001 },
      { amount: 5.5 },
      { credits: -1 },
      { autoTopUpEnabled: 'yes' },
    ]) {
      expect((await anna.checkOut(purchase)).statusCode).toBe(400)
    }
    const other = await anna.checkOut({ credits: 55 })
    expect([other.statusCode, other.json().error.code]).toEqual([400, 'credits_mismatch'])
    const stranger = await web.app.inject({
      method: 'POST',
      url: '/api/payments/create-checkout-session',
      payload: { amount: 50, credits: 52, autoTopUpEnabled: false },
    })
    expect(stranger.statusCode).toBe(401)
  })

  test('says so when the provider is away, and hides another user’s payment', async () => {
    const [anna, boris] = [await newPerson(), await newPerson()]
    web.provider.away = 'before'
    const away = await anna.checkOut()
    web.provider.away = 'no'
    expect([away.statusCode, away.json().error.code]).toEqual([503, 'payments_unavailable'])
    const one = await order(web, anna.userId, 25)
    expect((await boris.payment(one.id)).statusCode).toBe(404)
    expect((await boris.payment('7')).statusCode).toBe(400)
  })
})

test('auto top-up needs a card that was kept', async () => {
  const anna = await newPerson()
  const refused = await anna.toggle(true)
  expect([refused.statusCode, refused.json().error.code]).toEqual([409, 'no_saved_card'])
  expect((await anna.toggle(false)).json()).toEqual({ auto_topup_enabled: false })
  const one = await order(web, anna.userId, 10, true)
  await postEvent(web.provider.event(one.paid()))
  expect(await anna.me()).toMatchObject({ auto_topup_enabled: true, hasSavedPaymentMethod: true })
  expect((await anna.toggle(false)).json()).toEqual({ auto_topup_enabled: false })
  expect((await anna.toggle(true)).json()).toEqual({ auto_topup_enabled: true })
})

describe('events', () => {
  test('are accepted for their signature alone, wherever they come from', async () => {
    const anna = await newPerson()
    const one = await order(web, anna.userId, 25)
    const event = web.provider.event(one.paid())
    const foreign = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' }
    expect((await postEvent(event, 'local', foreign)).statusCode).toBe(200)
    expect((await postEvent(event, 'local', { 'content-type': 'text/plain' })).statusCode).toBe(200)
    expect((await anna.me()).credits).toBe(25)
  })

  test('that are forged, unreadable, contradictory or too large are rejected', async () => {
    const anna = await newPerson()
    const one = await order(web, anna.userId, 25)
    const event = web.provider.event(one.paid())
    expect((await postEvent({ ...event, signature: '' })).statusCode).toBe(400)
    expect((await postEvent({ ...event, body: `${event.body} ` })).statusCode).toBe(400)
    expect((await postEvent(web.provider.event(one.paid({ amountMicroUsd: 1 })))).statusCode).toBe(409)
    expect((await postEvent({ body: 'x'.repeat(65 * 1024), signature: 'x' })).statusCode).toBe(413)
    expect((await postEvent({ body: '', signature: '' })).statusCode).toBe(400)
    expect((await postEvent(event, 'stripe')).statusCode).toBe(404)
    expect((await web.app.inject('/api/webhooks/local')).statusCode).toBe(404)
    expect((await anna.me()).credits).toBe(0)
  })
})

test('requests again an event that the database could not store, and applies it then', async () => {
  const anna = await newPerson()
  const one = await order(web, anna.userId, 25)
  const event = web.provider.event(one.paid())
  const away = async () => {
    throw new DatabaseUnavailable('it restarts')
  }
  const broken = await openApp({
    services: { ...web.services, db: { ...web.db, transaction: away } },
  })
  const headers = { 'content-type': 'application/json', 'simulated-signature': event.signature }
  const refused = await broken.inject({
    method: 'POST',
    url: '/api/webhooks/local',
    headers,
    payload: event.body,
  })
  await broken.close()
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '2'])
  expect((await anna.me()).credits).toBe(0)
  expect((await postEvent(event)).statusCode).toBe(200)
  expect((await anna.me()).credits).toBe(25)
})

test('tells a blocked user why they may not call', async () => {
  const anna = await newPerson()
  const one = await order(web, anna.userId, 25)
  await postEvent(web.provider.event(one.paid()))
  expect((await anna.me()).blocked_reason).toBeNull()
  await postEvent(web.provider.event(one.dispute(25)))
  expect(await anna.me()).toMatchObject({
    can_call: false,
    credits: 0,
    blocked_reason: expect.stringContaining('disputed with your bank'),
  })
})

describe('transfers', () => {
  test('are listed with a text, newest first, with the balance after each', async () => {
    const anna = await newPerson()
    const one = await order(web, anna.userId, 50)
    await postEvent(web.provider.event(one.paid()))
    await postEvent(web.provider.event(one.refund(20)))
    const { transfers, nextCursor } = (await anna.transfers()).json()
    expect(nextCursor).toBeNull()
    const payment = { id: one.id, receipt: expect.stringMatching(/^F-2026-\d{4}$/) }
    expect(transfers).toMatchObject([
      { kind: 'refund', description: 'Bonus of a refunded payment', amount: -0.8, balance: 31.2, payment },
      { kind: 'refund', description: 'Refund to your card', amount: -20, balance: 32, payment },
      { kind: 'bonus', description: 'Bonus credits', amount: 2, balance: 52, payment },
      { kind: 'payment', description: 'Credits bought', amount: 50, balance: 50, payment, call: null },
    ])
    const boris = await newPerson()
    expect((await boris.transfers()).json()).toEqual({ transfers: [], nextCursor: null })
  })

  test('come 25 a page, each once, also while new ones are made, and quickly from 100,000', async () => {
    const anna = await newPerson()
    const add = (from: number, to: number) =>
      web.db.query(
        `insert into transfer (key, debit_account, credit_account, amount, created_at)
         select 'adjustment:' || $2::text || ':' || n, (select id from account where kind = 'adjustments'), account.id, n, $5
         from account, generate_series($3::int, $4::int) n where user_id = $1 order by n`,
        [anna.userId, anna.userId, from, to, web.clock.now()],
      )
    await add(1, 60)
    const seen: { amount: number; balance: number }[] = []
    let cursor: string | undefined
    for (let page = 0; page < 3; page += 1) {
      const answer = (await anna.transfers(cursor)).json()
      seen.push(...answer.transfers)
      cursor = answer.nextCursor ?? undefined
      if (page === 0) await add(61, 62)
    }
    expect(cursor).toBeUndefined()
    expect(seen).toHaveLength(60)
    expect(seen.at(0)).toMatchObject({ amount: 0.00006, balance: 0.00183 })
    expect(seen.at(-1)).toMatchObject({ amount: 0.000001, balance: 0.000001 })
    for (const unreadable of ['', 'x', Buffer.from('1 2 3').toString('base64url')]) {
      expect((await anna.transfers(unreadable)).json().transfers[0].amount).toBe(0.000062)
    }
    await add(101, 100_000)
    await web.db.query('analyze transfer')
    const times: number[] = []
    for (let time = 0; time < 9; time += 1) {
      const before = performance.now()
      const answer = await anna.transfers(Buffer.from('50000 1').toString('base64url'))
      times.push(performance.now() - before)
      expect(answer.json().transfers).toHaveLength(25)
    }
    times.sort((a, b) => a - b)
    // A walk through all of them takes longer on the quickest machine; what a page takes, the bench tells.
    expect(times[4]).toBeLessThan(50)
  })
})
