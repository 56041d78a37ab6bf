import { expect, test } from 'vitest'
import { callReceiptOf } from '#server/calls/history/call-receipt.ts'
import { findCallRow, listCalls } from '#server/calls/history/history.ts'
import { totalCalls } from '#server/calls/history/history-totals.ts'
import { keepForFile } from '#support/file-world.ts'
import { connectCall } from '#support/simulated-network.ts'
import { createWorld } from '#support/world.ts'

const world = keepForFile(await createWorld())

const american = '+12125550100'

async function newestOf(userId: string) {
  const { calls } = await listCalls(world.db, userId)
  const [call] = calls
  if (call === undefined) throw new Error('no call')
  return call
}

async function receiptOf(userId: string, callId: string) {
  const row = await findCallRow(world.db, userId, callId)
  if (row === undefined) throw new Error('no call')
  return callReceiptOf(world.services, row)
}

test('totals follow a call from its first ring to its end, over every sum', async () => {
  const user = await world.addUser({ credit: 1 })
  const today = { from: new Date(world.clock.now().getTime() - 1000).toISOString() }
  const totals = () =>
    Promise.all([{}, today, { who: '0100' }].map(query => totalCalls(world.db, user.id, query)))
  const { end } = await connectCall(world.control, user.id, american)
  const going = { calls: 1, minutes: 0, minutesCharged: 0, spent: 0, refunded: 0 }
  expect(await totals()).toEqual([going, going, going])
  await end(61_000)
  const ended = { calls: 1, minutes: 2, minutesCharged: 2, spent: 0.04, refunded: 0 }
  expect(await totals()).toEqual([ended, ended, ended])
})

test('a free call counts with its minutes, and with nothing charged', async () => {
  const user = await world.addUser({ freeCall: 'available' })
  const { end, callId } = await connectCall(world.control, user.id, american)
  await end(125_000)
  expect(await totalCalls(world.db, user.id, {})).toEqual({
    calls: 1,
    minutes: 3,
    minutesCharged: 0,
    spent: 0,
    refunded: 0,
  })
  const call = await newestOf(user.id)
  const receipt = await receiptOf(user.id, call.id)
  expect(receipt).toMatchObject({ call: { id: callId, free: true }, charges: [], gift: { worth: 0.06 } })
  expect(receipt.gift?.reference).toMatch(/^L-\d+$/)
})

test('a receipt names each transfer of the call, and they come to its cost', async () => {
  const user = await world.addUser({ credit: 1 })
  const { end } = await connectCall(world.control, user.id, american)
  await end(150_000)
  const call = await newestOf(user.id)
  const receipt = await receiptOf(user.id, call.id)
  expect(receipt.email).toBe(user.email)
  expect(receipt.charges.map(({ description }) => description)).toEqual(['Call, minute 1', 'Call, settled'])
  expect(receipt.charges.reduce((total, { amount }) => total + amount, 0)).toBeCloseTo(call.cost, 9)
  expect(receipt.gift).toBeNull()
})
