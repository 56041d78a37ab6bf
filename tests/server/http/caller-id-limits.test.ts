import { expect, test } from 'vitest'
import { keepForFile } from '#support/file-world.ts'
import { createWeb } from '#support/web.ts'
import { ask, end, logIn, newNumber, newUser } from './caller-ids.ts'

const web = keepForFile(await createWeb())

const later = () => web.clock.advance(61_000)

test('two calls are a minute apart, for the user and for the number, and the rejection says how long', async () => {
  const one = await newUser(web)
  const other = await newUser(web)
  const number = newNumber()
  await ask(web, one.token, number)
  web.clock.advance(18_400)
  const refused = { code: 'too_soon', message: expect.stringContaining('Try again in 42 seconds.') }
  const again = await ask(web, one.token, newNumber())
  expect([again.statusCode, again.json().error]).toEqual([429, refused])
  expect(again.headers['retry-after']).toBe('42')
  expect((await ask(web, other.token, number)).json().error).toEqual(refused)
  web.clock.advance(40_600)
  expect((await ask(web, other.token, number)).json().error).toEqual({
    code: 'too_soon',
    message: 'We just made a call to verify a number. Try again in 1 second.',
  })
  web.clock.advance(1000)
  expect((await ask(web, other.token, number)).statusCode).toBe(200)
})

test('a user has three calls in a day, whatever the numbers', async () => {
  const { email } = await newUser(web)
  // However they ended, and one that has not.
  for (const outcome of ['busy', 'verified', undefined] as const) {
    expect((await ask(web, await logIn(web, email), newNumber())).statusCode).toBe(200)
    if (outcome !== undefined) await end(web, outcome)
    web.clock.advance(3_600_000)
  }
  const refused = await ask(web, await logIn(web, email), newNumber())
  expect([refused.statusCode, refused.json().error]).toEqual([
    429,
    {
      code: 'too_many_verifications',
      message: 'We make 3 verification calls a day for each account. Try again in 21 hours.',
    },
  ])
  web.clock.advance(20 * 3_600_000 + 3_000_000)
  expect((await ask(web, await logIn(web, email), newNumber())).json().error.message).toMatch(
    /Try again in 10 minutes\.$/,
  )
  web.clock.advance(600_000)
  expect((await ask(web, await logIn(web, email), newNumber())).statusCode).toBe(200)
})

test('a number is rung three times in a day, whoever asks', async () => {
  const number = newNumber()
  for (let call = 0; call < 3; call += 1) {
    expect((await ask(web, (await newUser(web)).token, number)).statusCode).toBe(200)
    later()
  }
  const { token } = await newUser(web)
  expect((await ask(web, token, number)).json().error).toEqual({
    code: 'too_many_verifications',
    message: 'We ring a number 3 times a day to verify it. Try again in 24 hours, or verify another number.',
  })
  expect((await ask(web, token, newNumber())).statusCode).toBe(200)
})

test('a user who never paid reads how expensive a number to verify may be, and that a payment raises it', async () => {
  const { token } = await newUser(web)
  const refused = await ask(web, token, '+2348031234567')
  expect([refused.statusCode, refused.json().error]).toEqual([
    403,
    {
      code: 'rate_limit',
      message: 'Your account can verify numbers up to $0.10 a minute for now. Buy credits to raise that.',
    },
  ])
})

test('does not ring a number whose prefix is paused, and the rejection says how long', async () => {
  const { token, userId } = await newUser(web)
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
  const refused = await ask(web, token, '+254712345678')
  expect([refused.statusCode, refused.headers['retry-after'], refused.json().error]).toEqual([
    429,
    '1200',
    {
      code: 'destination_paused',
      message: 'Calls there are paused after unusual demand. Call again in 20 minutes.',
    },
  ])
})

test('a network that had many numbers rung reads so, and a day whose budget is spent too', async () => {
  const from = '198.51.100.7'
  for (let call = 0; call < 10; call += 1)
    expect((await ask(web, (await newUser(web)).token, newNumber(), from)).statusCode).toBe(200)
  const refused = await ask(web, (await newUser(web)).token, newNumber(), from)
  expect([refused.statusCode, refused.json().error]).toEqual([
    429,
    {
      code: 'too_many_verifications',
      message: 'Your connection has asked for many verification calls today. Try again in 24 hours.',
    },
  ])
  expect((await ask(web, (await newUser(web)).token, newNumber(), '203.0.113.7')).statusCode).toBe(200)
  await web.db.query(
    `update budget_counter set used = 20000000 where kind = 'verification_call' and scope = 'everyone'`,
  )
  expect(
    (await ask(web, (await newUser(web)).token, newNumber(), '203.0.113.7')).json().error.message,
  ).toMatch(/^We've made all of today's verification calls\. Try again in \d+ (hours|minutes)\.$/)
  await web.db.query(`delete from budget_counter where kind = 'verification_call' and scope = 'everyone'`)
})

test('one of several requests at the same moment rings', async () => {
  const users = [await newUser(web), await newUser(web), await newUser(web)]
  const number = newNumber()
  const before = web.network.verifications.length
  const answers = await Promise.all(
    users.flatMap(({ token }) => [ask(web, token, number), ask(web, token, number)]),
  )
  expect(answers.map(answer => answer.statusCode).sort()).toEqual([200, 429, 429, 429, 429, 429])
  expect(web.network.verifications).toHaveLength(before + 1)
})

test('a call that the network did not accept counts against nothing', async () => {
  const { token } = await newUser(web)
  const number = newNumber()
  web.network.takesVerifications = false
  const refused = await ask(web, token, number)
  web.network.takesVerifications = true
  expect([refused.statusCode, refused.json().error]).toEqual([
    503,
    { code: 'unavailable', message: 'Could not start verification. Please try again in a minute.' },
  ])
  expect((await ask(web, token, number)).statusCode).toBe(200)
})
