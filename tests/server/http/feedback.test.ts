import { expect, test } from 'vitest'
import { keepForFile } from '#support/file-world.ts'
import { connectCall } from '#support/simulated-network.ts'
import { createWeb, type Web } from '#support/web.ts'

const web = keepForFile(await createWeb())

const send = (token: string | undefined, payload: object) =>
  web.app.inject({
    method: 'POST',
    url: '/api/feedback',
    payload,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  })
const me = async (token: string) =>
  (await web.app.inject({ url: '/api/protected/me', headers: { authorization: `Bearer ${token}` } })).json()
const kept = (userId: string) =>
  web.db.query<object>(
    'select call_id, score, issue, comment from feedback where user_id = $1 order by created_at',
    [userId],
  )

test('feedback on a call is kept, and the user counts as having given it', async () => {
  const { token, userId } = await web.signUp('heard@example.com')
  const call = await connectCall(web.control, userId, '+12125550100')
  await call.end(40_000)
  expect(await me(token)).toMatchObject({ hide: true, has_submitted_feedback: false })
  const answer = await send(token, {
    score: 2,
    issue: 'one-way-audio',
    comment: ' They heard me, I not them. ',
    callId: call.callId,
  })
  expect([answer.statusCode, answer.body]).toEqual([204, ''])
  expect(await kept(userId)).toEqual([
    { call_id: call.callId, score: 2, issue: 'one-way-audio', comment: 'They heard me, I not them.' },
  ])
  expect(await me(token)).toMatchObject({ has_submitted_feedback: true })
})

test('the last feedback on a call counts, even when several arrive at once', async () => {
  const { token, userId } = await web.signUp('changed@example.com')
  const { callId, end } = await connectCall(web.control, userId, '+12125550100')
  await Promise.all([
    send(token, { score: 1, issue: 'echo', callId }),
    send(token, { score: 1, issue: 'echo', callId }),
    end(31_000),
  ])
  expect((await send(token, { score: 5, callId })).statusCode).toBe(204)
  expect(await kept(userId)).toEqual([{ call_id: callId, score: 5, issue: null, comment: null }])
})

test('a score alone is enough', async () => {
  const { token, userId } = await web.signUp('brief@example.com')
  expect((await send(token, { score: 4, comment: '  ' })).statusCode).toBe(204)
  expect(await kept(userId)).toEqual([{ call_id: null, score: 4, issue: null, comment: null }])
})

test('nobody gives feedback on another user’s call', async () => {
  const other = await web.addUser({ freeCall: 'available' })
  const { callId } = await connectCall(web.control, other.id, '+12125550100')
  const { token, userId } = await web.signUp('curious@example.com')
  const answer = await send(token, { score: 1, callId })
  expect([answer.statusCode, answer.json().error.code]).toEqual([404, 'not_found'])
  expect(await kept(userId)).toEqual([])
  expect(await me(token)).toMatchObject({ has_submitted_feedback: false })
})

let anybody: ReturnType<Web['signUp']> | undefined

test.each([
  {},
  { score: 0 },
  { score: 6 },
  { score: 2.5 },
  { score: '3' },
  { score: 3, issue: 'static' },
  { score: 3, comment: 'a'.repeat(1001) },
  { score: 3, comment: 7 },
  { score: 3, callId: 'not-a-call' },
])('rejects %j and keeps nothing', async payload => {
  anybody ??= web.signUp('wrong@example.com')
  const { token, userId } = await anybody
  const answer = await send(token, payload)
  expect([answer.statusCode, answer.json().error.code]).toEqual([400, 'invalid_request'])
  expect(await kept(userId)).toEqual([])
})

test('visitors give no feedback', async () => {
  expect((await send(undefined, { score: 5 })).statusCode).toBe(401)
})

test.each([
  [29_999, false],
  [30_000, true],
])('a call of %i ms marks its user to be asked: %j', async (answeredMs, hide) => {
  const { token, userId } = await web.signUp(`talked-${answeredMs}@example.com`)
  const call = await connectCall(web.control, userId, '+12125550100')
  expect(await me(token)).toMatchObject({ hide: false, has_made_call: true })
  await call.end(answeredMs)
  expect(await me(token)).toMatchObject({ hide })
})

test('pages get the configured review site, or none', async () => {
  const site = async (web: Web) => (await web.app.inject({ url: '/api/site' })).json()
  expect(await site(web)).toMatchObject({ reviewUrl: null })
  const reviewed = await createWeb({ reviewUrl: 'https://reviews.example/farline' })
  try {
    expect(await site(reviewed)).toMatchObject({ reviewUrl: 'https://reviews.example/farline' })
  } finally {
    await reviewed.close()
  }
})
