import { afterEach, expect, test } from 'vitest'
import { inquireAboutVerifications } from '#server/calls/caller-ids/caller-id-inquiry.ts'
import { startVerification } from '#server/calls/caller-ids/caller-id-verification.ts'
import { forgetNumber, isCallerIdOf, removeCallerId } from '#server/calls/caller-ids/caller-ids.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import { keepForFile } from '#support/file-world.ts'
import { createTwilioWorld } from './twilio-world.ts'

const browser = { address: '127.0.0.1', device: 'the same' }

const world = keepForFile(await createTwilioWorld({ attemptMs: 1500 }))
afterEach(async () => {
  world.fake.outage = undefined
  await world.expectSound()
})

let numbers = 0
const newNumber = () => `+4420718387${String(10 + ++numbers)}`

async function ask(userId: string, number: string): Promise<string> {
  const started = await startVerification(world.services, userId, number, browser)
  if (!started.ok) throw new Error(started.code)
  return started.value.code
}

async function keyIn(number: string, code: string | undefined): Promise<void> {
  world.fake.callerIds.keyIn(number, code)
  await world.settled()
}

const outcomeOf = async (userId: string) => {
  const [call] = await world.db.query<{ outcome: string | null }>(
    'select outcome from verification_call where user_id = $1 order by asked_at desc limit 1',
    [userId],
  )
  return call?.outcome
}

const runJobs = () => {
  const failures: string[] = []
  const tools = {
    db: world.db,
    clock: world.clock,
    mailer: { send: async () => undefined },
    forgetNumber: (number: string) => forgetNumber(world.services, number),
    onFailure: ({ kind }: { kind: string }) => void failures.push(kind),
  }
  return runDueJobs(tools).then(() => failures)
}

const kept = (number: string) => world.fake.callerIds.list({ PhoneNumber: number }).length

test('the code of the vendor’s call is shown, and keyed in it verifies the number', async () => {
  const { id } = await world.addUser()
  const number = newNumber()
  const code = await ask(id, number)
  expect(code).toMatch(/^\d{6}$/)
  await keyIn(number, code)
  expect(await isCallerIdOf(world.db, id, number)).toBe(true)
  expect(await outcomeOf(id)).toBe('verified')
})

test.each([
  ['a wrong code', '000000', 'no_code'],
  ['nobody answers', undefined, 'no_answer'],
] as const)('the number stays unverified: %s', async (_, keyed, outcome) => {
  const { id } = await world.addUser()
  const number = newNumber()
  await ask(id, number)
  await keyIn(number, keyed)
  expect(await isCallerIdOf(world.db, id, number)).toBe(false)
  expect(await outcomeOf(id)).toBe(outcome)
  expect(kept(number)).toBe(0)
})

test('a call that the carrier cannot place now counts against no limit', async () => {
  const { id } = await world.addUser()
  world.fake.outage = 'rate'
  expect(await startVerification(world.services, id, newNumber(), browser)).toEqual({
    ok: false,
    code: 'unavailable',
  })
  expect(await outcomeOf(id)).toBe('not_called')
})

test.each(['lost', 'error', 'busy', 'gateway'] as const)(
  'a call that may have been made counts, though no code came of it: %s',
  async trouble => {
    const { id } = await world.addUser()
    const number = newNumber()
    world.fake.trouble(trouble)
    expect(await startVerification(world.services, id, number, browser)).toEqual({ ok: false, code: 'lost' })
    expect(world.fake.callerIds.requests.some(request => request.number === number)).toBe(trouble === 'lost')
    expect(await outcomeOf(id)).toBeNull()
    expect(await startVerification(world.services, id, number, browser)).toMatchObject({
      spent: { windowSeconds: 60 },
    })
  },
)

test('a number is not rung without limit by answers that are lost', async () => {
  const { id } = await world.addUser()
  const number = newNumber()
  const seen: string[] = []
  world.fake.outage = 'cut'
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const started = await startVerification(world.services, id, number, browser)
    seen.push(started.ok ? 'rung' : started.code)
    world.clock.advance(61_000)
  }
  expect(seen).toEqual(['lost', 'lost', 'lost', 'budget_spent', 'budget_spent'])
})

test.each([
  [21_211, 'invalid_number'],
  [21_217, 'invalid_number'],
  [21_214, 'unsupported_destination'],
  [21_215, 'unsupported_destination'],
  [21_216, 'unsupported_destination'],
])(
  'what the carrier will never call is reported as such, and counts against no limit: %i',
  async (code, expectedCode) => {
    const { id } = await world.addUser()
    const number = newNumber()
    world.fake.callerIds.refused.set(number, code)
    expect(await startVerification(world.services, id, number, browser)).toEqual({
      ok: false,
      code: expectedCode,
    })
    expect(await outcomeOf(id)).toBe('not_called')
  },
)

test('a number that is removed is forgotten by the vendor too, when it can be asked', async () => {
  const { id } = await world.addUser()
  const number = newNumber()
  await keyIn(number, await ask(id, number))
  expect(kept(number)).toBe(1)
  world.fake.outage = 'busy'
  expect(await removeCallerId(world.services, id, number)).toBe(true)
  expect(await isCallerIdOf(world.db, id, number)).toBe(false)
  expect(await runJobs()).toEqual(['forget_number'])
  expect(kept(number)).toBe(1)
  world.fake.outage = undefined
  world.clock.advance(61_000)
  expect(await runJobs()).toEqual([])
  expect(kept(number)).toBe(0)
  expect(await removeCallerId(world.services, id, number)).toBe(false)
})

test('a number that its owner has verified again meanwhile is not forgotten', async () => {
  const { id } = await world.addUser()
  const number = newNumber()
  await keyIn(number, await ask(id, number))
  await removeCallerId(world.services, id, number)
  await world.db.query('insert into caller_id values ($1, $2, $3)', [id, number, world.clock.now()])
  expect(await runJobs()).toEqual([])
  expect(kept(number)).toBe(1)
})

test('a number that only the carrier still knows is verified again', async () => {
  const first = await world.addUser()
  const number = newNumber()
  await keyIn(number, await ask(first.id, number))
  await world.db.query('delete from caller_id where user_id = $1', [first.id])
  world.clock.advance(61_000)
  const second = await world.addUser()
  await keyIn(number, await ask(second.id, number))
  expect(await isCallerIdOf(world.db, second.id, number)).toBe(true)
  expect(kept(number)).toBe(1)
})

test('what the owner of the account added without us is never removed', async () => {
  const { id } = await world.addUser()
  const number = newNumber()
  world.fake.callerIds.verified.set('PN1', { sid: 'PN1', number, name: 'Office' })
  expect(await startVerification(world.services, id, number, browser)).toEqual({
    ok: false,
    code: 'not_verifiable',
  })
  expect(await world.twilio.forgetNumber(number)).toEqual({ ok: true, value: undefined })
  expect(kept(number)).toBe(1)
  const { publicNumber } = world.fake.settings
  const name = world.services.random.uuid()
  world.fake.callerIds.verified.set('PN2', { sid: 'PN2', number: publicNumber, name })
  expect(await world.twilio.forgetNumber(publicNumber)).toEqual({ ok: true, value: undefined })
  expect(kept(publicNumber)).toBe(1)
})

test('finds by polling a verification without any report, and no other', async () => {
  // Those of other tests are too old to be asked about.
  world.clock.advance(11 * 60_000)
  const { id } = await world.addUser()
  const number = newNumber()
  world.fake.webhooks.mode = 'drop'
  await keyIn(number, await ask(id, number))
  const other = await world.addUser()
  const unanswered = newNumber()
  await ask(other.id, unanswered)
  world.fake.webhooks.mode = 'deliver'
  const asked = world.fake.requests.length
  expect(await inquireAboutVerifications(world.services)).toBe(0)
  expect(world.fake.requests).toHaveLength(asked)
  world.clock.advance(21_000)
  world.fake.outage = 'busy'
  expect(await inquireAboutVerifications(world.services)).toBe(0)
  world.fake.outage = undefined
  expect(await inquireAboutVerifications(world.services)).toBe(1)
  expect(await isCallerIdOf(world.db, id, number)).toBe(true)
  expect(await outcomeOf(id)).toBe('verified')
  expect(await isCallerIdOf(world.db, other.id, unanswered)).toBe(false)
  // An unanswered call is polled for some minutes.
  const before = world.fake.requests.length
  expect(await inquireAboutVerifications(world.services)).toBe(0)
  expect(world.fake.requests.length).toBe(before + 1)
  world.clock.advance(10 * 60_000)
  expect(await inquireAboutVerifications(world.services)).toBe(0)
  expect(world.fake.requests.length).toBe(before + 1)
})

test("nobody removes another user's number", async () => {
  const first = await world.addUser()
  const number = newNumber()
  await keyIn(number, await ask(first.id, number))
  world.clock.advance(61_000)
  const second = await world.addUser()
  expect(await startVerification(world.services, second.id, number, browser)).toEqual({
    ok: false,
    code: 'not_verifiable',
  })
  expect(kept(number)).toBe(1)
  expect(await isCallerIdOf(world.db, first.id, number)).toBe(true)
})
