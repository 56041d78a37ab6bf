import { afterAll, expect, test } from 'vitest'
import type { CallOutcome, CallRecord } from '#lib/api/calls.ts'
import { callGroups } from '#lib/calls/call-filter.ts'
import { type CallQuery, listCalls } from '#server/calls/history/history.ts'
import { totalCalls } from '#server/calls/history/history-totals.ts'
import { saveContact } from '#server/contacts/contacts.ts'
import { createWorld } from '#support/world.ts'

// Not kept for the file: these tests write calls that were never charged.
const world = await createWorld()
afterAll(() => world.close())

const american = '+12125550100'
const outcomes = Object.values(callGroups).flat()

/** Calls of the past, written down as they are after their end; the newest first. */
async function addPast(userId: string, count: number, numbers: readonly string[]): Promise<void> {
  await world.db.query(
    `insert into call (id, user_id, to_number, iso_code, rate, free, limit_ms, state, placed_at, answered_at, ended_at,
       answered_ms, minutes_charged, cost, outcome, node)
     select gen_random_uuid(), $1, ($3::text[])[1 + i * 7 % $4::int], 'US', 20000, false, 3600000, 'ended', placed,
       case when talked then placed end, placed, case when talked then 1000 * i end,
       case when talked then ceil(i / 60.0) else 0 end, case when talked then 20000 * ceil(i / 60.0) else 0 end, outcome, 'node'
     from generate_series(1, $2::int) i,
       -- two at each moment: the id decides between them
       lateral (select timestamptz '2025-11-20 12:00:00Z' - i / 2 * interval '5 hours' as placed,
         ($5::text[])[1 + i % 10] as outcome) one,
       lateral (select one.outcome in ('completed', 'limit', 'connection_lost') as talked) answered`,
    [userId, count, numbers, numbers.length, outcomes],
  )
  // Some were refunded, one way or the other: half or all of what they cost.
  await world.db.query(
    `insert into call_credit (call_id, user_id, reason, amount, most, credited_at)
     select id, user_id, 'short', case when answered_ms % 2000 = 0 then cost else cost / 2 end, 1000, placed_at
     from call where user_id = $1 and cost > 0 and answered_ms % 3000 = 0`,
    [userId],
  )
}

async function listAll(userId: string, query: CallQuery): Promise<CallRecord[]> {
  const all: CallRecord[] = []
  let cursor: string | undefined
  do {
    const page = await listCalls(world.db, userId, { ...query, cursor })
    all.push(...page.calls)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return all
}

const sum = (calls: readonly CallRecord[], of: (call: CallRecord) => number) =>
  calls.reduce((total, call) => total + of(call), 0)

const microUsd = (usd: number) => Math.round(usd * 1_000_000)

function totalsOf(calls: readonly CallRecord[]) {
  return {
    calls: calls.length,
    minutes: sum(calls, call => Math.ceil(call.seconds / 60)),
    minutesCharged: sum(calls, call => call.minutesCharged),
    spent: sum(calls, call => microUsd(call.cost) - microUsd(call.credited ?? 0)) / 1_000_000,
    refunded: sum(calls, call => microUsd(call.credited ?? 0)) / 1_000_000,
  }
}

test('every filter, over all its pages, lists just the calls it means, newest first, and adds up all of them', async () => {
  const [user, other] = [await world.addUser(), await world.addUser()]
  const few = [american, '+12125550142', '+442079460958', '+919876543210']
  await addPast(user.id, 240, few)
  await addPast(other.id, 30, [american])
  const every = await listAll(user.id, {})
  expect(every).toHaveLength(240)
  const order = every.map(call => `${call.placedAt} ${call.id}`)
  expect(order).toEqual([...order].sort().reverse())

  const times = [
    {},
    { from: '2025-11-01T00:00:00.000Z' },
    { to: '2025-11-10T18:30:00.000Z' },
    { from: '2025-11-03T05:45:00.000Z', to: '2025-11-12T05:45:00.000Z' },
    { from: '2025-11-12T01:00:00.000Z', to: '2025-11-12T17:00:00.000Z' },
    { from: '2025-11-14T22:00:00.000Z', to: '2025-11-15T22:00:00.000Z' },
    { from: '2025-11-12T00:00:00.000Z', to: '2025-11-11T00:00:00.000Z' },
  ]
  const people = [undefined, '0142', '+44 20', '(212) 555-01', '020 7946', '٩٨٧٦٥', '0000000']
  const meant = (call: CallRecord, who: string | undefined) =>
    who === undefined ||
    {
      '0142': /0142/,
      '+44 20': /^\+4420/,
      '(212) 555-01': /21255501/,
      '020 7946': /207946/,
      '٩٨٧٦٥': /98765/,
    }[who]?.test(call.to) === true
  for (const time of times)
    for (const who of people)
      for (const outcome of [undefined, 'talked', 'busy', 'cut_off'] as const) {
        const query = { ...time, who, outcome }
        const wanted = every.filter(
          call =>
            (time.from === undefined || call.placedAt >= time.from) &&
            (time.to === undefined || call.placedAt < time.to) &&
            meant(call, who) &&
            (outcome === undefined || callGroups[outcome].includes(call.outcome as CallOutcome)),
        )
        expect(await listAll(user.id, query), JSON.stringify(query)).toEqual(wanted)
        expect(await totalCalls(world.db, user.id, query), JSON.stringify(query)).toEqual(totalsOf(wanted))
      }
})

test('a part of a number that hundreds of numbers have is found among the calls themselves', async () => {
  const user = await world.addUser()
  const numbers = Array.from({ length: 250 }, (_, index) => `+1212555${String(index).padStart(4, '0')}`)
  await addPast(user.id, 500, [...numbers, '+442079460958'])
  const query = { who: '212 555', outcome: 'talked', from: '2025-10-20T07:00:00.000Z' } as const
  const talked = (await listAll(user.id, {})).filter(
    call =>
      call.to.includes('212555') &&
      call.placedAt >= query.from &&
      (call.outcome === 'completed' || call.outcome === 'limit'),
  )
  expect(talked.length).toBeGreaterThan(25)
  expect(sum(talked, call => call.credited ?? 0)).toBeGreaterThan(0)
  expect(await listAll(user.id, query)).toEqual(talked)
  expect(await totalCalls(world.db, user.id, query)).toEqual(totalsOf(talked))
  const named = (await listAll(user.id, {})).filter(call => call.to.includes('212555'))
  expect(await totalCalls(world.db, user.id, { who: '212555' })).toEqual(totalsOf(named))
})

test('finds calls by the name of a contact, but not by other users’ contacts', async () => {
  const [user, other] = [await world.addUser(), await world.addUser()]
  for (const { id } of [user, other]) await addPast(id, 20, [american, '+442079460958'])
  const rose = { name: 'Aunt Rosé', phone_number: american, iso_code: 'US', dial_code: '+1' }
  await saveContact(world.services, user.id, rose)
  const found = await listAll(user.id, { who: 'rose aunt' })
  expect(new Set(found.map(call => call.to))).toEqual(new Set([american]))
  expect(await totalCalls(world.db, user.id, { who: 'rose aunt' })).toEqual(totalsOf(found))
  expect(await listAll(other.id, { who: 'rose' })).toEqual([])
  expect((await totalCalls(world.db, other.id, { who: 'rose' })).calls).toBe(0)
  // Digits are compared with names as well, and letters never with numbers.
  expect(await listAll(user.id, { who: 'x0100' })).toEqual([])
})

test('calls that are dropped leave nothing behind in the sums', async () => {
  const past = await world.addUser()
  await addPast(past.id, 40, [american])
  await world.db.query('delete from call where user_id = $1', [past.id])
  for (const table of ['call_sum_by_day', 'call_sum_by_number'])
    expect(await world.db.query(`select calls from ${table} where user_id = $1`, [past.id])).toEqual([])
})

test('a search that most calls are nothing for looks at so many of them at a time, and finds all in the end', async () => {
  const user = await world.addUser()
  const many = Array.from({ length: 250 }, (_, index) => `+1212555${String(index).padStart(4, '0')}`)
  await addPast(user.id, 300, many)
  // Six thousand younger ones to somebody else.
  await world.db.query(
    `insert into call (id, user_id, to_number, iso_code, rate, free, limit_ms, state, placed_at, ended_at, outcome)
     select gen_random_uuid(), $1, '+442079460958', 'GB', 20000, false, 60000, 'ended', at, at, 'no_answer'
     from (select timestamptz '2025-12-01 12:00:00Z' + n / 2 * interval '1 minute' as at from generate_series(1, 6000) n) times`,
    [user.id],
  )
  const query = { who: '212555' }
  const found: string[] = []
  const lengths: number[] = []
  let cursor: string | undefined
  do {
    const page = await listCalls(world.db, user.id, { ...query, cursor })
    found.push(...page.calls.map(call => call.id))
    lengths.push(page.calls.length)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  expect(lengths).toEqual([0, 0, 0, ...Array(12).fill(25)])
  const wanted = await world.db.query<{ id: string }>(
    `select id from call where user_id = $1 and to_number like '%212555%' order by placed_at desc, id desc`,
    [user.id],
  )
  expect(found).toEqual(wanted.map(({ id }) => id))
})
