import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Db, Parameter } from '#server/db/port.ts'
import { type FreshDatabase, openFreshDatabase, projectEngine } from '#support/engine.ts'

/** What every adapter of the database port does alike. */

let database: FreshDatabase
let db: Db
beforeAll(async () => {
  database = await openFreshDatabase(await projectEngine(), new Date())
  db = database.db
  await db.query('create table note (id int primary key, body text, at timestamptz)')
})
afterEach(async () => {
  await db.query('delete from note')
})
afterAll(() => database.close())

const noteIds = async () =>
  (await db.query<{ id: number }>('select id from note order by id')).map(row => row.id)

const moment = new Date('2026-03-01T12:34:56.789Z')
const identity = '0b6fb0a5-6d0c-4a35-9f2d-3c8f6a1a8f10'
const values: [string, Parameter, unknown?][] = [
  ['text', 'Zoë \u{1F4DE} "quoted" \\ \' $1'],
  ['text', ''],
  ['uuid', identity],
  ['int', -2_147_483_648],
  ['bigint', Number.MAX_SAFE_INTEGER],
  ['bigint', Number.MIN_SAFE_INTEGER],
  ['float8', 0.1],
  ['numeric', '12.340'],
  ['boolean', true],
  ['boolean', false],
  ['timestamptz', moment],
  ['bytea', new Uint8Array([0, 1, 92, 39, 255])],
  ['bytea', new Uint8Array()],
  ['jsonb', '{"a": [1, null, "x"], "b": {"c": true}}', { a: [1, null, 'x'], b: { c: true } }],
  ['jsonb', 'null', null],
  ['jsonb', '"text"', 'text'],
  ['text[]', ['a', '', 'with "quotes", {braces} and \\']],
  ['text[]', []],
  ['uuid[]', [identity, identity]],
  ['text', null],
  ['bigint', null],
  ['timestamptz', null],
  ['bytea', null],
]

test.each(values)('a %s comes back as it went in: %j', async (type, value, expected = value) => {
  const [row] = await db.query<{ value: unknown }>(`select $1::${type} as value`, [value])
  expect(row?.value).toEqual(expected)
  if (value instanceof Uint8Array) expect(row?.value).toBeInstanceOf(Uint8Array)
})

test('a list is what any() takes', async () => {
  await db.query('insert into note (id) values (1), (2)')
  expect(await db.query('select id from note where id::text = any($1)', [['2', '3']])).toEqual([{ id: 2 }])
})

test('int8 beyond 2^53 throws rather than be wrong, and the next statement runs', async () => {
  await expect(db.query('select 9007199254740993::int8 as n')).rejects.toThrow(/safe integer/)
  expect(await db.query('select count(*) as n from note')).toEqual([{ n: 0 }])
})

test('a rejected statement carries its SQLSTATE, and the next one runs', async () => {
  await db.query('insert into note (id) values (1)')
  await expect(db.query('insert into note (id) values (1)')).rejects.toMatchObject({ code: '23505' })
  await expect(db.query('selekt 1')).rejects.toMatchObject({ code: '42601' })
  await expect(db.query('select 1; select 2')).rejects.toMatchObject({ code: '42601' })
  expect(await noteIds()).toEqual([1])
})

test('a transaction that ends well is kept, with its result', async () => {
  const given = await db.transaction(async tx => {
    await tx.query('insert into note (id) values (1)')
    return tx.query('select id from note')
  })
  expect(given).toEqual([{ id: 1 }])
  expect(await noteIds()).toEqual([1])
})

test('a transaction that throws leaves nothing, and passes on what was thrown', async () => {
  const thrown = new Error('no')
  const failing = db.transaction(async tx => {
    await tx.query('insert into note (id) values (1)')
    throw thrown
  })
  await expect(failing).rejects.toBe(thrown)
  expect(await noteIds()).toEqual([])
})

test('a failed statement whose error was caught fails its transaction all the same', async () => {
  const careless = db.transaction(async tx => {
    await tx.query('insert into note (id) values (1)')
    await tx.query('insert into note (id) values (1)').catch(() => {})
  })
  await expect(careless).rejects.toMatchObject({ code: '23505' })
  expect(await noteIds()).toEqual([])
})

test('a failed statement that nobody awaited fails its transaction all the same', async () => {
  const careless = db.transaction(async tx => {
    await tx.query('insert into note (id) values (1)')
    void tx.query('insert into note (id) values (1)').catch(() => {})
  })
  await expect(careless).rejects.toMatchObject({ code: '23505' })
  expect(await noteIds()).toEqual([])
})

test('a nested transaction joins the outer one and goes with it', async () => {
  const failing = db.transaction(async tx => {
    await tx.transaction(inner => inner.query('insert into note (id) values (1)'))
    expect(await tx.query('select id from note')).toEqual([{ id: 1 }])
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await noteIds()).toEqual([])
})

test('a transaction that has ended accepts no more statements', async () => {
  const ended = await db.transaction(async tx => ({ tx }))
  await expect(ended.tx.query('insert into note (id) values (1)')).rejects.toThrow('has ended')
  expect(await noteIds()).toEqual([])
})

test('statements asked for together in a transaction run in their order', async () => {
  await db.transaction(tx =>
    Promise.all([1, 2, 3].map(id => tx.query('insert into note (id) values ($1)', [id]))),
  )
  expect(await noteIds()).toEqual([1, 2, 3])
})

test('nobody sees uncommitted work', async () => {
  let sawInside: unknown
  const outside = db.transaction(async tx => {
    await tx.query('insert into note (id) values (1)')
    sawInside = await tx.query('select id from note')
    throw new Error('no')
  })
  const seen = await Promise.all([noteIds(), noteIds(), outside.catch(() => [])])
  expect(sawInside).toEqual([{ id: 1 }])
  expect(seen.flat()).toEqual([])
})

test('a locked row is read and written by one transaction at a time', async () => {
  await db.query(`insert into note (id, body) values (1, '0')`)
  await Promise.all(
    Array.from({ length: 40 }, () =>
      db.transaction(async tx => {
        const [row] = await tx.query<{ body: string }>('select body from note where id = 1 for update')
        await tx.query('update note set body = $1 where id = 1', [String(Number(row?.body) + 1)])
      }),
    ),
  )
  expect(await db.query('select body from note')).toEqual([{ body: '40' }])
})

test('a script runs several statements in its transaction', async () => {
  const failing = db.transaction(async tx => {
    await tx.script('insert into note (id) values (1); insert into note (id) values (2);')
    expect(await tx.query('select id from note order by id')).toEqual([{ id: 1 }, { id: 2 }])
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await noteIds()).toEqual([])
})
