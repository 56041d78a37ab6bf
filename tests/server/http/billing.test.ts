import { expect, test } from 'vitest'
import { keepForFile } from '#support/file-world.ts'
import { createWeb } from '#support/web.ts'
import { deliver, order } from '../payments/buyer.ts'

const web = keepForFile(await createWeb())

let people = 0
async function newPerson() {
  people += 1
  const email = `billed-${people}@example.com`
  const { token, userId } = await web.signUp(email)
  const ask = (method: 'GET' | 'POST', url: string, payload?: object) =>
    web.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${token}` },
      ...(payload !== undefined && { payload }),
    })
  return {
    email,
    userId,
    receipt: (id: string) => ask('GET', `/api/payments/${id}/receipt`),
    offer: (id: string) => ask('GET', `/api/payments/${id}/refund`),
    refund: (id: string, amount: unknown) => ask('POST', `/api/payments/${id}/refund`, { amount }),
    transfers: (query = '') => ask('GET', `/api/transfers${query}`),
  }
}

async function paidBy(userId: string, usd: number) {
  const one = await order(web, userId, usd)
  await deliver(web, one.paid())
  return one
}

test('a receipt says what was bought, by whom, and the payment’s reference', async () => {
  const anna = await newPerson()
  const one = await paidBy(anna.userId, 50)
  const answer = await anna.receipt(one.id)
  expect(answer.statusCode).toBe(200)
  expect(answer.json()).toEqual({
    number: expect.stringMatching(/^F-\d{4}-\d{4}$/),
    paidAt: expect.any(String),
    name: null,
    email: anna.email,
    card: 'Visa ending 4242',
    reference: one.intentRef,
    automatic: false,
    giftFor: null,
    amount: 50,
    bonus: 2,
    held: 0,
    refunded: 0,
    vat: null,
  })
  const [mail] = await web.readMails()
  expect(mail?.text).toContain(`/receipt?id=${one.id}`)
})

test('a refund is offered, asked for once, and stands in the history and on the receipt', async () => {
  const anna = await newPerson()
  const one = await paidBy(anna.userId, 50)
  const refundStates = async () =>
    (await anna.transfers())
      .json()
      .transfers.map((line: { description: string; payment: { refund: string } }) => [
        line.description,
        line.payment.refund,
      ])
  expect(await refundStates()).toEqual([
    ['Bonus credits', 'none'],
    ['Credits bought', 'open'],
  ])
  expect((await anna.offer(one.id)).json()).toMatchObject({ amount: 50, credits: 52 })
  const changed = await anna.refund(one.id, 49.99)
  expect([changed.statusCode, changed.json().error.code]).toEqual([409, 'amount_changed'])
  for (let press = 0; press < 2; press += 1) {
    const refunded = await anna.refund(one.id, 50)
    expect([refunded.statusCode, refunded.json()]).toEqual([200, { state: 'succeeded', amount: 50 }])
  }
  expect((await refundStates()).at(-1)).toEqual(['Credits bought', 'refunded'])
  expect((await anna.receipt(one.id)).json().refunded).toBe(50)
  const again = await anna.offer(one.id)
  expect([again.statusCode, again.json().error.code]).toEqual([409, 'already_asked'])
})

/** REL-39. */
test('another user’s receipt and refund are not found, nor those of an unpaid payment', async () => {
  const [anna, boris] = [await newPerson(), await newPerson()]
  const one = await paidBy(anna.userId, 10)
  const waiting = await order(web, boris.userId, 10)
  for (const id of [one.id, waiting.id, '00000000-0000-4000-8000-000000000000']) {
    expect((await boris.receipt(id)).statusCode).toBe(404)
    expect((await boris.offer(id)).statusCode).toBe(404)
    expect((await boris.refund(id, 10)).statusCode).toBe(404)
  }
  for (const bad of [0, -1, 'ten', Number.MAX_VALUE]) {
    expect((await anna.refund(one.id, bad)).statusCode).toBe(400)
  }
  expect((await anna.receipt('1')).statusCode).toBe(400)
  expect((await web.app.inject(`/api/payments/${one.id}/receipt`)).statusCode).toBe(401)
  expect((await anna.transfers()).json().transfers).toHaveLength(1)
})

test('pages may be larger, as a download asks for them, within limits', async () => {
  const anna = await newPerson()
  for (const usd of [5, 6, 7]) await paidBy(anna.userId, usd)
  const first = (await anna.transfers('?limit=2')).json()
  expect(first.transfers.map((line: { amount: number }) => line.amount)).toEqual([7, 6])
  const rest = (await anna.transfers(`?limit=2&cursor=${first.nextCursor}`)).json()
  expect(rest).toMatchObject({ transfers: [{ amount: 5, balance: 5 }], nextCursor: null })
  for (const limit of ['0', '501', '1.5', 'all']) {
    expect((await anna.transfers(`?limit=${limit}`)).statusCode).toBe(400)
  }
})
