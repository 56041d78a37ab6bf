import { expect, test } from 'vitest'
import { creditAccount } from '#server/admin/credit-account.ts'
import { keepForFile } from '#support/file-world.ts'
import { connectCall } from '#support/simulated-network.ts'
import { createWeb } from '#support/web.ts'

const web = keepForFile(await createWeb())

const send = (path: string, token: string, payload: object) =>
  web.app.inject({
    method: 'POST',
    url: `/api/calls/${path}`,
    headers: { authorization: `Bearer ${token}` },
    payload,
  })
const get = (url: string, token: string) =>
  web.app.inject({ url, headers: { authorization: `Bearer ${token}` } })

test('a receipt is its caller’s alone, and there once the call has ended', async () => {
  const caller = await web.signUp('caller@example.com')
  const stranger = await web.signUp('stranger@example.com')
  await creditAccount(web.services, {
    requestId: crypto.randomUUID(),
    email: 'caller@example.com',
    amountMicroUsd: 1_000_000,
    reason: 'a test',
    actor: 'test',
  })
  const { callId, end } = await connectCall(web.control, caller.userId, '+12125550100')
  const receipt = `/api/calls/${callId}/receipt`
  expect((await get(receipt, caller.token)).json()).toMatchObject({ error: { code: 'not_ended' } })
  await end(10_000)
  expect((await get(receipt, caller.token)).json()).toMatchObject({ call: { id: callId, seconds: 10 } })
  expect((await get(receipt, stranger.token)).statusCode).toBe(404)
  expect((await send('totals', stranger.token, {})).json()).toMatchObject({ calls: 0 })
  const found = async ({ token }: typeof caller) => (await send('search', token, { who: '0100' })).json()
  expect(await found(caller)).toMatchObject({ calls: [{ id: callId }] })
  expect(await found(stranger)).toEqual({ calls: [], nextCursor: null })
})

test('rejects a filter that makes no sense', async () => {
  const { token } = await web.signUp('filter@example.com')
  for (const filter of [
    { from: 'yesterday' },
    { from: '2025-11-01' },
    { to: '0000-01-01T00:00:00.000Z' },
    { outcome: 'won' },
    { who: '1'.repeat(101) },
    { who: '\0' },
    { who: { a: 1 } },
    { limit: 501 },
    { limit: '25' },
  ])
    expect((await send('search', token, filter)).statusCode, JSON.stringify(filter)).toBe(400)
  for (const filter of [
    { who: "%' or 1=1" },
    { who: '{"a"}' },
    { cursor: 'nonsense' },
    { who: ' ' },
    { from: '1999-12-31T15:00:00.000Z', to: '2100-01-01T05:00:00.000Z' },
  ])
    expect((await send('search', token, filter)).statusCode, JSON.stringify(filter)).toBe(200)
})
