import { afterAll, beforeAll, expect, test } from 'vitest'
import type { VerificationOutcome } from '#server/telephony/port.ts'
import { createWeb, password, type Web } from '#support/web.ts'

let web: Web
beforeAll(async () => {
  web = await createWeb()
})
afterAll(async () => {
  await web.close()
})

let people = 0
async function newUser() {
  people += 1
  const email = `caller-id-${people}@example.com`
  return { ...(await web.signUp(email)), email }
}

/** A fresh token, where time has passed. */
async function logIn(email: string): Promise<string> {
  const payload = { email, password }
  return (await web.app.inject({ method: 'POST', url: '/api/auth/login', payload })).json().token
}

let numbers = 0
/** A mobile number of Ofcom's drama range that nobody has asked for yet. */
function newNumber(): string {
  numbers += 1
  return `+447700900${String(100 + numbers)}`
}

const ask = (token: string, phoneNumber: unknown, remoteAddress = '127.0.0.1') =>
  web.app.inject({
    method: 'POST',
    url: '/api/caller-id/request-verification',
    headers: { authorization: `Bearer ${token}` },
    payload: { phoneNumber },
    remoteAddress,
  })
const list = async (token: string) =>
  (
    await web.app.inject({ url: '/api/caller-id/verified', headers: { authorization: `Bearer ${token}` } })
  ).json()
const remove = (token: string, number: string) =>
  web.app.inject({
    method: 'DELETE',
    url: '/api/caller-id/verified',
    headers: { authorization: `Bearer ${token}` },
    payload: { phoneNumber: number },
  })

/** Ends the newest verification call like this. */
async function end(outcome: VerificationOutcome): Promise<void> {
  const { verificationId } = web.network.verifications.at(-1) ?? { verificationId: '' }
  await web.control.verificationEnded({ verificationId, outcome })
}

async function verify(token: string, number: string): Promise<void> {
  expect((await ask(token, number)).statusCode).toBe(200)
  await end('verified')
}

const later = () => web.clock.advance(61_000)

test('a request rings the number and gives the code; once it was keyed in the number is this user’s alone', async () => {
  const { token } = await newUser()
  const other = await newUser()
  const number = newNumber()
  const answer = await ask(token, number)
  expect([answer.statusCode, answer.json()]).toEqual([200, { code: '482915' }])
  expect(web.network.verifications.at(-1)).toMatchObject({ number })
  expect(await list(token)).toEqual([])
  await end('verified')
  await end('verified')
  expect(await list(token)).toEqual([{ phone_number: number }])
  expect(await list(other.token)).toEqual([])
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
  const { token } = await newUser()
  await ask(token, newNumber())
  await end(outcome)
  await end('verified')
  expect(await list(token)).toEqual([])
})

test('two calls that both ended well verify the number once, and two people may have the same one', async () => {
  const { token } = await newUser()
  const other = await newUser()
  const number = newNumber()
  await ask(token, number)
  const first = web.network.verifications.at(-1)?.verificationId ?? ''
  later()
  await ask(token, number)
  await end('verified')
  await web.control.verificationEnded({ verificationId: first, outcome: 'verified' })
  expect(await list(token)).toEqual([{ phone_number: number }])
  later()
  await verify(other.token, number)
  expect(await list(other.token)).toEqual([{ phone_number: number }])
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
    const { token } = await newUser()
    const answer = await ask(token, typed)
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
  const { token } = await newUser()
  const before = web.network.verifications.length
  const answer = await ask(token, number)
  expect([answer.statusCode, answer.json().error]).toEqual([400, { code, message }])
  expect(web.network.verifications).toHaveLength(before)
})

test('a blocked user may not have a number called for verification either', async () => {
  const { token, userId } = await newUser()
  await web.db.query('update app_user set email_verified_at = null where id = $1', [userId])
  expect((await ask(token, newNumber())).json().error).toEqual({
    code: 'email_unverified',
    message: 'Please verify your email before making calls.',
  })
  await web.db.query('update app_user set can_call = false where id = $1', [userId])
  expect((await ask(token, newNumber())).json().error.code).toBe('call_blocked')
})

test('two calls are a minute apart, for the user and for the number, and the rejection says how long', async () => {
  const one = await newUser()
  const other = await newUser()
  const number = newNumber()
  await ask(one.token, number)
  web.clock.advance(18_400)
  const refused = { code: 'too_soon', message: expect.stringContaining('Try again in 42 seconds.') }
  const again = await ask(one.token, newNumber())
  expect([again.statusCode, again.json().error]).toEqual([429, refused])
  expect(again.headers['retry-after']).toBe('42')
  expect((await ask(other.token, number)).json().error).toEqual(refused)
  web.clock.advance(40_600)
  expect((await ask(other.token, number)).json().error).toEqual({
    code: 'too_soon',
    message: 'We have just made a call to verify a number. Try again in 1 second.',
  })
  web.clock.advance(1000)
  expect((await ask(other.token, number)).statusCode).toBe(200)
})

test('a user has three calls in a day, whatever the numbers', async () => {
  const { email } = await newUser()
  // However they ended, and one that has not.
  for (const outcome of ['busy', 'verified', undefined] as const) {
    expect((await ask(await logIn(email), newNumber())).statusCode).toBe(200)
    if (outcome !== undefined) await end(outcome)
    web.clock.advance(3_600_000)
  }
  const refused = await ask(await logIn(email), newNumber())
  expect([refused.statusCode, refused.json().error]).toEqual([
    429,
    {
      code: 'too_many_verifications',
      message: 'We make 3 verification calls a day for each account. Try again in 21 hours.',
    },
  ])
  web.clock.advance(20 * 3_600_000 + 3_000_000)
  expect((await ask(await logIn(email), newNumber())).json().error.message).toMatch(
    /Try again in 10 minutes\.$/,
  )
  web.clock.advance(600_000)
  expect((await ask(await logIn(email), newNumber())).statusCode).toBe(200)
})

test('a number is rung three times in a day, whoever asks', async () => {
  const number = newNumber()
  for (let call = 0; call < 3; call += 1) {
    expect((await ask((await newUser()).token, number)).statusCode).toBe(200)
    later()
  }
  const { token } = await newUser()
  expect((await ask(token, number)).json().error).toEqual({
    code: 'too_many_verifications',
    message: 'We ring a number 3 times a day to verify it. Try again in 24 hours, or verify another number.',
  })
  expect((await ask(token, newNumber())).statusCode).toBe(200)
})

test('a user who never paid reads how expensive a number to verify may be, and that a payment raises it', async () => {
  const { token } = await newUser()
  const refused = await ask(token, '+2348031234567')
  expect([refused.statusCode, refused.json().error]).toEqual([
    403,
    {
      code: 'rate_limit',
      message: 'Your account can verify numbers up to $0.10 a minute for now. Buy credits to raise that.',
    },
  ])
})

test('does not ring a number whose prefix is paused, and the rejection says how long', async () => {
  const { token, userId } = await newUser()
  await web.db.query(
    `insert into transfer (key, debit_account, credit_account, amount, created_at)
     select 'test:' || $1, (select id from account where kind = 'adjustments'), id, 5000000, $2
     from account where user_id = $1::uuid`,
    [userId, web.clock.now()],
  )
  const now = web.clock.now().getTime()
  await web.db.query('insert into prefix_pause (prefix, opened_at, ends_at) values ($1, $2, $3)', [
    '2547',
    new Date(now),
    new Date(now + 20 * 60_000),
  ])
  const refused = await ask(token, '+254712345678')
  expect([refused.statusCode, refused.headers['retry-after'], refused.json().error]).toEqual([
    429,
    '1200',
    {
      code: 'destination_paused',
      message: 'Unusually many people call this destination, so it pauses. Call again in 20 minutes.',
    },
  ])
})

test('a network that had many numbers rung reads so, and a day whose budget is spent too', async () => {
  const from = '198.51.100.7'
  for (let call = 0; call < 10; call += 1)
    expect((await ask((await newUser()).token, newNumber(), from)).statusCode).toBe(200)
  const refused = await ask((await newUser()).token, newNumber(), from)
  expect([refused.statusCode, refused.json().error]).toEqual([
    429,
    {
      code: 'too_many_verifications',
      message: 'Many verification calls were asked for from your connection today. Try again in 24 hours.',
    },
  ])
  expect((await ask((await newUser()).token, newNumber(), '203.0.113.7')).statusCode).toBe(200)
  await web.db.query(
    `update budget_counter set used = 20000000 where kind = 'verification_call' and scope = 'everyone'`,
  )
  expect((await ask((await newUser()).token, newNumber(), '203.0.113.7')).json().error.message).toMatch(
    /^We have made all of today's verification calls\. Try again in \d+ (hours|minutes)\.$/,
  )
  await web.db.query(`delete from budget_counter where kind = 'verification_call' and scope = 'everyone'`)
})

test('one of several requests at the same moment rings', async () => {
  const users = [await newUser(), await newUser(), await newUser()]
  const number = newNumber()
  const before = web.network.verifications.length
  const answers = await Promise.all(users.flatMap(({ token }) => [ask(token, number), ask(token, number)]))
  expect(answers.map(answer => answer.statusCode).sort()).toEqual([200, 429, 429, 429, 429, 429])
  expect(web.network.verifications).toHaveLength(before + 1)
})

test('a call that the network did not accept counts against nothing', async () => {
  const { token } = await newUser()
  const number = newNumber()
  web.network.takesVerifications = false
  const refused = await ask(token, number)
  web.network.takesVerifications = true
  expect([refused.statusCode, refused.json().error]).toEqual([
    503,
    { code: 'unavailable', message: 'Could not start verification. Please try again in a minute.' },
  ])
  expect((await ask(token, number)).statusCode).toBe(200)
})

test('a number that is verified already is not rung again', async () => {
  const { token } = await newUser()
  const number = newNumber()
  await verify(token, number)
  later()
  const refused = await ask(token, number)
  expect([refused.statusCode, refused.json().error.code]).toEqual([409, 'already_verified'])
})

test('a removed number is gone; another user’s is not found', async () => {
  const { token } = await newUser()
  const other = await newUser()
  const [first, second] = [newNumber(), newNumber()]
  await verify(token, first)
  later()
  await verify(token, second)
  expect(await list(token)).toEqual([{ phone_number: first }, { phone_number: second }])
  expect((await remove(other.token, first)).statusCode).toBe(404)
  expect((await remove(token, first)).statusCode).toBe(204)
  expect((await remove(token, first)).statusCode).toBe(404)
  expect((await remove(token, second)).statusCode).toBe(204)
  expect(await list(token)).toEqual([])
})

test('a call shows a caller ID only while this very user has it verified', async () => {
  const user = await newUser()
  const other = await newUser()
  const number = newNumber()
  const place = (userId: string) => web.control.place({ userId, to: '+12125550100', callerId: number })
  const refused = { kind: 'refuse', code: 'caller_id_not_verified' }
  expect(await place(user.userId)).toMatchObject(refused)
  await verify(user.token, number)
  expect(await place(other.userId)).toMatchObject(refused)
  const placed = await place(user.userId)
  if (placed.kind !== 'connect') throw new Error(placed.code)
  expect(placed.from).toBe(number)
  expect(await web.db.query('select caller_id from call where id = $1', [placed.callId])).toEqual([
    { caller_id: number },
  ])
  await web.control.report({ kind: 'ended', callId: placed.callId, answeredMs: null, end: 'cancelled' })
  await remove(user.token, number)
  expect(await place(user.userId)).toMatchObject(refused)
})
