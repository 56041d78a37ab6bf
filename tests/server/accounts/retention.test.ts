import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { deleteAccount } from '#server/accounts/deletion/delete-account.ts'
import { formerAddressDays } from '#server/accounts/deletion/former-address.ts'
import { firstClearingMs } from '#server/accounts/retention/clear-deleted.ts'
import { prune } from '#server/accounts/retention/prune.ts'
import { runRetention } from '#server/accounts/retention/retention.ts'
import { defaultCallPolicy } from '#server/config/policy.ts'
import type { UserRow } from '#server/identity/users.ts'
import { keepForFile } from '#support/file-world.ts'
import { connectCall } from '#support/simulated-network.ts'
import { createWorld } from '#support/world.ts'

const world = keepForFile(await createWorld())

const dayMs = 24 * 3600_000

async function call(user: UserRow, seconds = 61): Promise<string> {
  const { callId, end } = await connectCall(world.control, user.id, '+12125550100')
  await end(seconds * 1000)
  return callId
}

async function callsOf({ id }: UserRow): Promise<string[]> {
  const rows = await world.db.query<{ id: string }>(
    'select id from call where user_id = $1 order by placed_at',
    [id],
  )
  return rows.map(row => row.id)
}

const leave = (user: UserRow) =>
  deleteAccount(
    world.services,
    user.id,
    { confirm: user.email, password: 'correct horse battery' },
    { address: '127.0.0.1', sessionId: undefined },
  )

test('records of calls are dropped after 400 days, and what they cost stays in the ledger', async () => {
  const user = await world.addUser({ credit: 5 })
  const old = await call(user)
  await world.db.query(
    `insert into feedback (id, user_id, call_id, score, created_at) values (gen_random_uuid(), $1, $2, 4, $3)`,
    [user.id, old, world.clock.now()],
  )
  world.clock.advance(dayMs)
  const younger = await call(user)
  const cost = async () =>
    world.db.query('select key, amount from transfer where call_id = $1 order by id', [old])
  const before = await cost()
  expect(before).toHaveLength(2)

  world.clock.advance(399 * dayMs)
  await runRetention(world.services)
  expect(await callsOf(user)).toEqual([old, younger])
  world.clock.advance(1)
  await runRetention(world.services)
  expect(await callsOf(user)).toEqual([younger])
  expect(await cost()).toEqual(before)
  const [said] = await world.db.query('select call_id, score from feedback where user_id = $1', [user.id])
  expect(said).toEqual({ call_id: null, score: 4 })
})

test('the Privacy Policy says how long', () => {
  const file = join(import.meta.dirname, '..', '..', '..', 'src', 'content', 'legal', 'privacy.md')
  const policy = readFileSync(file, 'utf8')
  expect(policy).toContain(`Records of calls: ${defaultCallPolicy.callRecordsDays} days, `)
  expect(formerAddressDays).toBe(365)
  expect(policy).toContain('for a year, a one-way hash of its address')
})

test('never drops a running call', async () => {
  const user = await world.addUser({ credit: 5 })
  const { callId, end } = await connectCall(world.control, user.id, '+12125550100')
  world.clock.advance(500 * dayMs)
  await runRetention(world.services)
  expect(await callsOf(user)).toEqual([callId])
  await end(1000)
  await runRetention(world.services)
  expect(await callsOf(user)).toEqual([])
})

test('drops many in one turn, however many processes do it at once', async () => {
  const user = await world.addUser()
  await world.db.query(
    `insert into call (id, user_id, to_number, iso_code, rate, free, limit_ms, state, placed_at, ended_at, outcome)
     select gen_random_uuid(), $1, '+1212555' || lpad((n % 50)::text, 4, '0'), 'US', 20000, false, 60000, 'ended', $2, $2, 'no_answer'
     from generate_series(1, 1001) n`,
    [user.id, world.clock.now()],
  )
  world.clock.advance(401 * dayMs)
  await Promise.all([1, 2, 3].map(() => runRetention(world.services)))
  await runRetention(world.services)
  expect(await callsOf(user)).toEqual([])
})

test('the calls of a deleted account are dropped a day later, its free call too', async () => {
  const [user, guest] = [await world.addUser({ credit: 5 }), await world.addUser({ freeCall: 'available' })]
  const paid = await call(user)
  const free = await call(guest, 30)
  await leave(user)
  await leave(guest)
  await runRetention(world.services)
  expect([await callsOf(user), await callsOf(guest)]).toEqual([[paid], [free]])
  world.clock.advance(dayMs + 1)
  await runRetention(world.services)
  expect([await callsOf(user), await callsOf(guest)]).toEqual([[], []])
})

test('a deleted account’s address is forgotten altogether after a year', async () => {
  const user = await world.addUser()
  await leave(user)
  const remembered = async () =>
    (
      await world.db.query<{ is: boolean }>(
        'select former_address is not null as is from app_user where id = $1',
        [user.id],
      )
    )[0]?.is
  world.clock.advance(365 * dayMs)
  await runRetention(world.services)
  expect(await remembered()).toBe(true)
  world.clock.advance(1)
  await runRetention(world.services)
  expect(await remembered()).toBe(false)
})

test('one account and one table that fail do not stop the others', async () => {
  const people: UserRow[] = []
  for (let n = 0; n < 3; n += 1) people.push(await world.addUser())
  const [stuck] = people
  for (const user of people) {
    await leave(user)
    await world.db.query(
      `insert into contact (id, user_id, name, phone_number, dial_code, iso_code, created_at)
       values (gen_random_uuid(), $1, 'Left over', '+12125550100', '+1', 'US', $2)`,
      [user.id, world.clock.now()],
    )
  }
  const caller = await world.addUser({ credit: 5 })
  const old = await call(caller)
  await world.db.query(
    `update call set placed_at = placed_at - interval '401 days', ended_at = ended_at - interval '401 days' where id = $1`,
    [old],
  )
  await world.db.query(
    `insert into caller_origin (user_id, local, seen_at) values ($1, true, '2020-01-01')
     on conflict (user_id) do update set seen_at = '2020-01-01'`,
    [caller.id],
  )
  await world.db.query(
    `insert into password_reset (hash, user_id, expires_at) values (sha256('stuck'), $1, '2020-01-01')`,
    [caller.id],
  )
  for (const statement of [
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`,
    `create trigger refuse before delete on contact for each row when (old.user_id = '${stuck?.id}') execute function refuse()`,
    'create trigger refuse before delete on password_reset for each row execute function refuse()',
  ])
    await world.db.query(statement)
  const left = async () => {
    const rows = await world.db.query<{ user_id: string }>(
      'select user_id from contact where user_id = any($1::uuid[])',
      [people.map(({ id }) => id)],
    )
    return rows.map(row => row.user_id)
  }
  world.clock.advance(firstClearingMs)
  try {
    await runRetention(world.services)
    expect(await left()).toEqual([stuck?.id])
    expect(await callsOf(caller)).toEqual([])
    expect(await world.db.query('select 1 from password_reset where user_id = $1', [caller.id])).toHaveLength(
      1,
    )
    expect(await world.db.query('select 1 from caller_origin where user_id = $1', [caller.id])).toEqual([])
  } finally {
    await world.db.query('drop function refuse cascade')
  }
  await runRetention(world.services)
  expect(await left()).toEqual([])
})

/** What is pruned, made now, and how many days it stays. `$1` is the user, `$2` the time. */
const outlived = [
  [
    'refresh_token',
    30,
    `insert into refresh_token (hash, user_id, family, created_at, expires_at, session_ends_at)
     values (sha256('x'), $1, gen_random_uuid(), $2, $2, $2)`,
  ],
  [
    'session',
    400,
    `insert into session (id, user_id, device, kind, signed_in_at, last_seen_at)
     values (gen_random_uuid(), $1, 'Chrome', 'computer', $2, $2)`,
  ],
  [
    'email_confirmation',
    7,
    `insert into email_confirmation (hash, user_id, expires_at) values (sha256('x'), $1, $2)`,
  ],
  [
    'password_reset',
    7,
    `insert into password_reset (hash, user_id, expires_at) values (sha256('x'), $1, $2)`,
  ],
  [
    'email_change',
    7,
    `insert into email_change (hash, user_id, email, expires_at) values (sha256('x'), $1, 'b@example.com', $2)`,
  ],
  [
    'sign_in_step',
    1,
    `insert into sign_in_step (hash, kind, user_id, expires_at) values (sha256('x'), 'second_factor', $1, $2)`,
  ],
  [
    'verification_call',
    30,
    `insert into verification_call (id, user_id, phone_number, asked_at) values (gen_random_uuid(), $1, '+12125550100', $2)`,
  ],
  [
    'job',
    90,
    `insert into job (kind, key, data, run_at, done_at) values ('mail', $1::uuid::text, '{}', 'infinity', $2)`,
  ],
  [
    'card_payer',
    30,
    `insert into card_payer (fingerprint, user_id, first_paid_at, last_paid_at) values ('fp-1', $1, $2, $2)`,
  ],
  ['caller_origin', 400, `insert into caller_origin (user_id, local, seen_at) values ($1, true, $2)`],
] as const

test.each(outlived)('a row of %s is deleted once it is older than %i days', async (table, days, insert) => {
  const user = await world.addUser()
  await world.db.query(`delete from ${table}`)
  await world.db.query(insert, [user.id, world.clock.now()])
  const count = async () => (await world.db.query(`select 1 from ${table}`)).length
  world.clock.advance(days * dayMs)
  await prune(world.services)
  expect(await count()).toBe(1)
  world.clock.advance(1)
  await prune(world.services)
  expect(await count()).toBe(0)
})

test('a session that may still be renewed keeps its tokens', async () => {
  const user = await world.addUser()
  await world.db.query(
    `insert into session (id, user_id, device, kind, signed_in_at, last_seen_at)
     values ($1, $1, 'Chrome', 'computer', '2020-01-01', '2020-01-01')`,
    [user.id],
  )
  await world.db.query(
    `insert into refresh_token (hash, user_id, family, created_at, expires_at, session_ends_at)
     values (sha256('x'), $1, $1, $2, $3, $3)`,
    [user.id, world.clock.now(), new Date(world.clock.now().getTime() + dayMs)],
  )
  await prune(world.services)
  expect(await world.db.query('select 1 from session where id = $1', [user.id])).toHaveLength(1)
  expect(await world.db.query('select 1 from refresh_token where family = $1', [user.id])).toHaveLength(1)
})
