import { expect, test } from 'vitest'
import { verificationOutcomes } from '#lib/api/verification.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWeb } from '#support/web.ts'
import { ask, end, list, logIn, newNumber, newUser, progress, remove, status, verify } from './caller-ids.ts'

const web = keepForFile(await createWeb())

const later = () => web.clock.advance(61_000)

test('a request rings the number and gives the code; once it was keyed in the number is this user’s alone', async () => {
  const { token } = await newUser(web)
  const other = await newUser(web)
  const number = newNumber()
  const answer = await ask(web, token, number)
  expect([answer.statusCode, answer.json()]).toEqual([200, { code: '482915' }])
  expect(web.network.verifications.at(-1)).toMatchObject({ number })
  expect(await list(web, token)).toEqual([])
  await end(web, 'verified')
  await end(web, 'verified')
  expect(await list(web, token)).toEqual([{ phone_number: number }])
  expect(await list(web, other.token)).toEqual([])
})

test.each(verificationOutcomes.filter(outcome => outcome !== 'verified'))(
  'a call that ended as %s verifies nothing, whatever is reported later',
  async outcome => {
    const { token } = await newUser(web)
    await ask(web, token, newNumber())
    await end(web, outcome)
    await end(web, 'verified')
    expect(await list(web, token)).toEqual([])
  },
)

test.each(verificationOutcomes)(
  'the page learns that a call was answered, and that it ended as %s, with the attempts left',
  async outcome => {
    const { token, userId } = await newUser(web)
    const number = newNumber()
    expect(await status(web, token)).toEqual({
      ...{ attemptsPerDay: 3, attemptsLeft: 3, waitMs: 0, lastCall: null },
    })
    await ask(web, token, number)
    expect(await status(web, token)).toEqual({
      ...{ attemptsPerDay: 3, attemptsLeft: 2, waitMs: 60_000 },
      lastCall: { phone_number: number, outcome: null },
    })
    await progress(web, 'answered')
    await end(web, outcome)
    // Too late to matter.
    await progress(web, 'wrong_code')
    expect(web.notices.filter(notice => notice.kind === 'verification' && notice.userId === userId)).toEqual([
      { kind: 'verification', userId, event: { phoneNumber: number, state: 'answered' } },
      { kind: 'verification', userId, event: { phoneNumber: number, state: 'ended' } },
    ])
    later()
    expect(await status(web, token)).toEqual({
      ...{ attemptsPerDay: 3, attemptsLeft: 2, waitMs: 0 },
      lastCall: { phone_number: number, outcome },
    })
  },
)

test('a user who has asked three times reads that none is left, and when there is one again', async () => {
  const { email } = await newUser(web)
  const begunMs = web.clock.now().getTime()
  for (let call = 0; call < 3; call += 1) {
    await ask(web, await logIn(web, email), newNumber())
    later()
  }
  expect(await status(web, await logIn(web, email))).toMatchObject({
    attemptsLeft: 0,
    waitMs: begunMs + 24 * 3_600_000 - web.clock.now().getTime(),
  })
})

test('a number that others had rung leaves its user fewer attempts', async () => {
  const number = newNumber()
  for (let call = 0; call < 2; call += 1) {
    await ask(web, (await newUser(web)).token, number)
    later()
  }
  const { token } = await newUser(web)
  await ask(web, token, number)
  expect(await status(web, token)).toMatchObject({ attemptsLeft: 0 })
})

test('a call that the network did not take is no attempt', async () => {
  const { token } = await newUser(web)
  web.network.takesVerifications = false
  await ask(web, token, newNumber())
  web.network.takesVerifications = true
  expect(await status(web, token)).toMatchObject({ attemptsLeft: 3, lastCall: null })
})

test('two calls that both ended well verify the number once, and two people may have the same one', async () => {
  const { token } = await newUser(web)
  const other = await newUser(web)
  const number = newNumber()
  await ask(web, token, number)
  const first = web.network.verifications.at(-1)?.verificationId ?? ''
  later()
  await ask(web, token, number)
  await end(web, 'verified')
  await web.control.verificationEnded({ verificationId: first, outcome: 'verified' })
  expect(await list(web, token)).toEqual([{ phone_number: number }])
  later()
  await verify(web, other.token, number)
  expect(await list(web, other.token)).toEqual([{ phone_number: number }])
})

test('a signed-out visitor learns nothing and has nobody called', async () => {
  const before = web.network.verifications.length
  for (const [method, url] of [
    ['GET', '/api/caller-id/verified'],
    ['POST', '/api/caller-id/request-verification'],
    ['DELETE', '/api/caller-id/verified'],
  ] as const) {
    const payload = method !== 'GET' ? { payload: { phoneNumber: newNumber() } } : {}
    expect((await web.app.inject({ method, url, ...payload })).statusCode).toBe(401)
  }
  expect(web.network.verifications).toHaveLength(before)
})

test.each(['447700900142', '+123456', '+1234567890123456', '+44 7700 900142', '', 42])(
  'a caller ID is a plus and 7 to 15 digits: %s is not',
  async typed => {
    const { token } = await newUser(web)
    const answer = await ask(web, token, typed)
    expect(answer.statusCode).toBe(400)
    if (typeof typed === 'string') {
      expect(answer.json().error.message).toBe(
        'Enter a valid phone number with country code. Example: +447123456789',
      )
    }
  },
)

test.each([
  ['+447000000000', 'unsupported_destination', 'This destination is currently not supported.'],
  ['+88161234567', 'unsupported_destination', 'This destination is currently not supported.'],
  ['+19005550123', 'unsupported_destination', 'This destination is currently not supported.'],
  ['+4420', 'invalid_request', 'Enter a valid phone number with country code. Example: +447123456789'],
  ['+44123456', 'invalid_number', 'Unrecognised number. Please check the number and try again.'],
])('only numbers that we would call anyway are rung: %s is not', async (number, code, message) => {
  const { token } = await newUser(web)
  const before = web.network.verifications.length
  const answer = await ask(web, token, number)
  expect([answer.statusCode, answer.json().error]).toEqual([400, { code, message }])
  expect(web.network.verifications).toHaveLength(before)
})

test('a blocked user may not have a number called for verification either', async () => {
  const { token, userId } = await newUser(web)
  await web.db.query('update app_user set email_verified_at = null where id = $1', [userId])
  expect((await ask(web, token, newNumber())).json().error).toEqual({
    code: 'email_unverified',
    message: 'Please verify your email before making calls.',
  })
  await web.db.query('update app_user set can_call = false where id = $1', [userId])
  expect((await ask(web, token, newNumber())).json().error.code).toBe('call_blocked')
})

test('a number that is verified already is not rung again', async () => {
  const { token } = await newUser(web)
  const number = newNumber()
  await verify(web, token, number)
  later()
  const refused = await ask(web, token, number)
  expect([refused.statusCode, refused.json().error.code]).toEqual([409, 'already_verified'])
})

test('a removed number is gone; another user’s is not found', async () => {
  const { token } = await newUser(web)
  const other = await newUser(web)
  const [first, second] = [newNumber(), newNumber()]
  await verify(web, token, first)
  later()
  await verify(web, token, second)
  expect(await list(web, token)).toEqual([{ phone_number: first }, { phone_number: second }])
  expect((await remove(web, other.token, first)).statusCode).toBe(404)
  expect((await remove(web, token, first)).statusCode).toBe(204)
  expect((await remove(web, token, first)).statusCode).toBe(404)
  expect((await remove(web, token, second)).statusCode).toBe(204)
  expect(await list(web, token)).toEqual([])
})

test('a call shows a caller ID only while this very user has it verified', async () => {
  const user = await newUser(web)
  const other = await newUser(web)
  const number = newNumber()
  const place = (userId: string) => web.control.place({ userId, to: '+12125550100', callerId: number })
  const refused = { kind: 'refuse', code: 'caller_id_not_verified' }
  expect(await place(user.userId)).toMatchObject(refused)
  await verify(web, user.token, number)
  expect(await place(other.userId)).toMatchObject(refused)
  const placed = await place(user.userId)
  if (placed.kind !== 'connect') throw new Error(placed.code)
  expect(placed.from).toBe(number)
  expect(await web.db.query('select caller_id from call where id = $1', [placed.callId])).toEqual([
    { caller_id: number },
  ])
  await web.control.report({ kind: 'ended', callId: placed.callId, answeredMs: null, end: 'cancelled' })
  await remove(web, user.token, number)
  expect(await place(user.userId)).toMatchObject(refused)
})
