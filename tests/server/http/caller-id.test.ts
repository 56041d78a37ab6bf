import { expect, test } from 'vitest'
import type { VerificationOutcome } from '#server/telephony/port.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWeb } from '#support/web.ts'
import { ask, end, list, newNumber, newUser, remove, verify } from './caller-ids.ts'

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

test.each<VerificationOutcome>([
  'wrong_code',
  'no_code',
  'hung_up',
  'declined',
  'busy',
  'no_answer',
  'failed',
])('a call that ended as %s verifies nothing, whatever is reported later', async outcome => {
  const { token } = await newUser(web)
  await ask(web, token, newNumber())
  await end(web, outcome)
  await end(web, 'verified')
  expect(await list(web, token)).toEqual([])
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
