import { expect, test } from 'vitest'
import { createCallControl } from '#server/calls/carrier/control.ts'
import { callReceiptOf } from '#server/calls/history/call-receipt.ts'
import { findCallRow, listCalls } from '#server/calls/history/history.ts'
import { claimCall } from '#server/calls/settlement/credit.ts'
import { type CallQuality, keepQuality } from '#server/calls/settlement/quality.ts'
import { defaultCallCreditTerms } from '#server/config/policy.ts'
import { findUser } from '#server/identity/users.ts'
import { post } from '#server/ledger/ledger.ts'
import { listTransfers } from '#server/ledger/transfers.ts'
import { tierOf } from '#server/spending/trust-tier.ts'
import { keepForFile } from '#support/file-world.ts'
import { connectCall } from '#support/simulated-network.ts'
import { createWorld } from '#support/world.ts'

/** 0.02 USD a minute. */
const american = '+12125550100'
const dayMs = 24 * 3600_000

const world = keepForFile(await createWorld())
const services = {
  ...world.services,
  policy: { ...world.services.policy, credit: defaultCallCreditTerms },
}

/** A call of this length; by default the network reports nothing about its sound. */
async function holdCall(userId: string, answeredMs: number, heard?: boolean): Promise<string> {
  const control = createCallControl(services)
  const { callId } = await connectCall(control, userId, american)
  world.clock.advance(answeredMs)
  const end = { kind: 'ended', callId, answeredMs, end: 'caller_hung_up' } as const
  await control.report(heard === undefined ? end : { ...end, heard })
  return callId
}

const balance = async (userId: string) => (await findUser(world.db, userId))?.balance
const given = async (callId: string) => {
  const rows = await world.db.query<{ reason: string; amount: number }>(
    'select reason, amount from call_credit where call_id = $1',
    [callId],
  )
  return rows[0]
}
const silence = (seconds: number): CallQuality => ({
  ...{ seconds, heardSeconds: 0, mos: null, lossPercent: null, jitterMs: null, roundTripMs: null },
})
const report = (userId: string, callId: string, quality: CallQuality) =>
  keepQuality(services, userId, callId, quality)
const claim = (userId: string, callId: string) => claimCall(services, userId, callId, 'choppy-audio')

async function receipt(userId: string, callId: string) {
  const row = await findCallRow(world.db, userId, callId)
  if (row === undefined) throw new Error('no call')
  return callReceiptOf(services, row)
}

test('a charged call under 10 s comes back by itself, whole, and the ledger says so', async () => {
  const user = await world.addUser({ credit: 1 })
  const callId = await holdCall(user.id, 9999)
  expect(await balance(user.id)).toBe(1_000_000)
  expect(await given(callId)).toEqual({ reason: 'short', amount: 20_000 })
  const { transfers } = await listTransfers(world.db, user.id, {}, world.clock.now())
  expect(transfers[0]).toMatchObject({
    kind: 'call_credit',
    description: 'Bad call, refunded',
    amount: 0.02,
    balance: 1,
  })
  const { calls } = await listCalls(world.db, user.id)
  expect(calls[0]).toMatchObject({ cost: 0.02, minutesCharged: 1, credited: 0.02 })
  const paper = await receipt(user.id, callId)
  expect(paper.credit).toEqual({ amount: 0.02, reason: 'short' })
  expect(paper.claim).toBeNull()
  expect(paper.charges.reduce((sum, { amount }) => sum + amount, 0)).toBeCloseTo(0, 9)
  expect(world.notices.filter(notice => notice.userId === user.id).at(-1)).toMatchObject({
    kind: 'balance',
    event: { credits: 1 },
  })
})

test('a call of 10 s does not, nor a free one, nor one that nobody answered', async () => {
  const user = await world.addUser({ credit: 1, freeCall: 'available' })
  const free = await holdCall(user.id, 5000)
  const long = await holdCall(user.id, 10_000)
  expect([await given(free), await given(long)]).toEqual([undefined, undefined])
  expect(await balance(user.id)).toBe(980_000)
})

test('does not credit the fourth within 30 days automatically, and starts again the next month', async () => {
  const user = await world.addUser({ credit: 1 })
  const reasons = []
  for (let i = 0; i < 4; i += 1) reasons.push(await given(await holdCall(user.id, 3000)))
  expect(reasons.map(credit => credit?.reason)).toEqual(['short', 'short', 'short', undefined])
  world.clock.advance(30 * dayMs)
  expect(await given(await holdCall(user.id, 3000))).toMatchObject({ reason: 'short' })
})

test('refunds a call if the network relayed nothing, but not if it did', async () => {
  const user = await world.addUser({ credit: 5 })
  expect(await given(await holdCall(user.id, 90_000, false))).toEqual({ reason: 'no_sound', amount: 40_000 })
  expect(await given(await holdCall(user.id, 90_000, true))).toBeUndefined()
})

test('refunds no call beyond a dollar, or beyond a minute that costs more', async () => {
  const user = await world.addUser({ credit: 500 })
  expect(await given(await holdCall(user.id, 60 * 60_000, false))).toEqual({
    ...{ reason: 'no_sound', amount: 1_000_000 },
  })
  const expensive = await connectCall(createCallControl(services), user.id, american)
  await world.db.query('update call set rate = 2500000 where id = $1', [expensive.callId])
  await world.db.query('update call_meter set rate = 2500000 where call_id = $1', [expensive.callId])
  world.clock.advance(90_000)
  await createCallControl(services).report({
    ...{ kind: 'ended', callId: expensive.callId, answeredMs: 90_000, end: 'caller_hung_up', heard: false },
  })
  expect(await given(expensive.callId)).toEqual({ reason: 'no_sound', amount: 2_500_000 })
})

test('believes a page that heard nothing, before or after the settlement, up to a limit', async () => {
  const user = await world.addUser({ credit: 5 })
  const control = createCallControl(services)
  const early = await connectCall(control, user.id, american)
  await report(user.id, early.callId, silence(60))
  expect(await given(early.callId)).toBeUndefined()
  world.clock.advance(61_000)
  await early.end(61_000)
  expect(await given(early.callId)).toEqual({ reason: 'no_sound', amount: 40_000 })

  const unasked = await connectCall(control, user.id, american)
  const row = 'update call set answered_at = null where id = $1'
  await world.db.query(row, [unasked.callId])
  await report(user.id, unasked.callId, silence(60))
  await world.db.query('update call set answered_at = $2 where id = $1', [unasked.callId, world.clock.now()])
  world.clock.advance(61_000)
  await unasked.end(61_000)
  expect(await given(unasked.callId)).toEqual({ reason: 'no_sound', amount: 40_000 })

  const late = await holdCall(user.id, 51 * 60_000)
  await report(user.id, late, silence(51 * 60))
  expect(await given(late)).toEqual({ reason: 'no_sound', amount: 1_000_000 })
  await report(user.id, late, silence(51 * 60))
  expect((await listCalls(world.db, user.id)).calls[0]).toMatchObject({ cost: 1.02, credited: 1 })
})

test('does not count a page that heard something, measured little, reported too late, or corrects itself', async () => {
  const user = await world.addUser({ credit: 5 })
  const heard = await holdCall(user.id, 60_000)
  await report(user.id, heard, { ...silence(60), heardSeconds: 1 })
  await report(user.id, heard, silence(60))
  const little = await holdCall(user.id, 60_000)
  await report(user.id, little, silence(29))
  const brief = await holdCall(user.id, 10_000)
  await report(user.id, brief, silence(4))
  const tooLate = await holdCall(user.id, 60_000)
  world.clock.advance(10 * 60_000 + 1)
  expect(await report(user.id, tooLate, silence(60))).toBe(true)
  for (const callId of [heard, little, brief, tooLate]) expect(await given(callId)).toBeUndefined()
})

test('a longer bad call is claimed once, and asked again the answer is the same', async () => {
  const user = await world.addUser({ credit: 5 })
  const callId = await holdCall(user.id, 150_000)
  expect((await receipt(user.id, callId)).claim).toMatchObject({ usedUp: false, amount: 0.06 })
  expect(await claim(user.id, callId)).toEqual({ ok: true, value: 0.06 })
  expect(await claim(user.id, callId)).toEqual({ ok: true, value: 0.06 })
  expect(await balance(user.id)).toBe(5_000_000)
  expect((await receipt(user.id, callId)).credit).toEqual({ amount: 0.06, reason: 'claim' })
})

test('claims and reports at once refund once', async () => {
  const user = await world.addUser({ credit: 5 })
  const callId = await holdCall(user.id, 60_000)
  await Promise.all([
    ...[1, 2, 3].map(() => claim(user.id, callId)),
    ...[1, 2, 3].map(() => report(user.id, callId, silence(60))),
  ])
  expect(await balance(user.id)).toBe(5_000_000)
})

test('claims of several calls at once stop at the limit', async () => {
  const user = await world.addUser({ credit: 5 })
  const callIds = []
  for (let i = 0; i < 5; i += 1) callIds.push(await holdCall(user.id, 60_000))
  const answers = await Promise.all(callIds.map(callId => claim(user.id, callId)))
  expect(answers.filter(({ ok }) => ok)).toHaveLength(3)
  expect(answers.filter(answer => !answer.ok && answer.code === 'claim_limit')).toHaveLength(2)
  const left = callIds.find((_, index) => answers[index]?.ok === false) ?? ''
  expect((await receipt(user.id, left)).claim).toMatchObject({ usedUp: true })
})

test('rejects each claim that cannot be made with a text of its own', async () => {
  const user = await world.addUser({ credit: 5, freeCall: 'available' })
  const stranger = await world.addUser({ credit: 5 })
  const free = await holdCall(user.id, 60_000)
  const short = await holdCall(user.id, 3000)
  const old = await holdCall(user.id, 60_000)
  world.clock.advance(7 * dayMs + 1)
  const fresh = await holdCall(user.id, 60_000)
  const live = await connectCall(createCallControl(services), user.id, american)
  const code = async (userId: string, callId: string) => {
    const answer = await claim(userId, callId)
    return answer.ok ? 'ok' : answer.code
  }
  expect(await code(user.id, free)).toBe('nothing_charged')
  expect(await code(user.id, short)).toBe('already_credited')
  expect(await code(user.id, old)).toBe('too_late')
  expect(await code(user.id, live.callId)).toBe('not_ended')
  expect(await code(stranger.id, fresh)).toBe('unknown_call')
  expect(await report(stranger.id, fresh, silence(60))).toBe(false)
  await live.end(60_000)
  await world.db.query('update app_user set can_call = false where id = $1', [user.id])
  expect(await code(user.id, fresh)).toBe('call_blocked')
})

test('a restricted account gets nothing back by itself', async () => {
  const user = await world.addUser({ credit: 5 })
  const control = createCallControl(services)
  const { end, callId } = await connectCall(control, user.id, american)
  await world.db.query('update app_user set can_call = false where id = $1', [user.id])
  await end(3000, 'blocked')
  expect(await given(callId)).toBeUndefined()
})

test('does not refund what a balance did not pay', async () => {
  const user = await world.addUser({ credit: 0.04 })
  const { callId, end } = await connectCall(createCallControl(services), user.id, american)
  await post(world.db, {
    ...{ key: `test:${user.id}`, debit: user.account_id, credit: 'adjustments', amountMicroUsd: 20_000 },
    at: world.clock.now(),
  })
  await end(90_000)
  expect((await listCalls(world.db, user.id)).calls[0]?.cost).toBe(0.04)
  expect(await claim(user.id, callId)).toEqual({ ok: true, value: 0.02 })
})

test('a credit does not count as paid', async () => {
  const user = await world.addUser()
  await world.db.query(
    `insert into transfer (key, debit_account, credit_account, amount, created_at)
     values ('bonus:test', (select id from account where kind = 'promotions'), $1, 100000, $2)`,
    [user.account_id, world.clock.now()],
  )
  await holdCall(user.id, 3000)
  expect(await tierOf(world.db, services, user.id)).toBe('never_paid')
})

test('a claim lets another running call last longer', async () => {
  const user = await world.addUser({ credit: 0.1 })
  const callId = await holdCall(user.id, 150_000)
  const control = createCallControl(services)
  const { callId: live, limitMs, end } = await connectCall(control, user.id, american)
  expect(limitMs).toBe(120_000)
  await claim(user.id, callId)
  expect(world.network.limits.at(-1)).toEqual({ callId: live, limitMs: 300_000 })
  await end(30_000)
})
