import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { migrationNames } from '#server/db/migrate.ts'
import { migrationDirectory } from './migration-files.ts'

/**
 * Looked at and let pass: indexes over a column that the same file adds, empty for all rows there are. One look at every row,
 * which takes seconds only where there are millions.
 */
const letPass = new Map([['0024_carrier.sql', 'keeps call from being written while an index is built']])

/** Written before several processes ran, or while none did: what they do cannot be undone by a rule. */
const lastOfOld = '0023_retention_indexes.sql'

/** What breaks a server of the version before, or stops its queries for as long as the table is large. */
const forbidden: readonly [string, RegExp][] = [
  ['takes something away', /\bdrop (table|column|type|schema|function|trigger|view)\b/],
  ['renames', /\brename (to|column|constraint|attribute)\b/],
  ['changes a type', /\balter (column )?\w+ (set data )?type\b/],
  ['demands a value', /\bset not null\b/],
  ['locks a table', /\b(lock table|vacuum full|cluster|reindex)\b/],
]

/** Why a migration is not safe beside servers of the version before; empty when it is. */
function findDangers(sql: string): string[] {
  const plain = sql.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').toLowerCase()
  const found = forbidden.filter(([, pattern]) => pattern.test(plain)).map(([danger]) => danger)
  for (const [column] of plain.matchAll(/\badd column [^,;]+/g)) {
    if (/\bnot null\b/.test(column) && !/\bdefault\b|\bgenerated\b/.test(column))
      found.push('demands a value')
  }
  if (
    sql.startsWith('-- no transaction') &&
    /\b(alter|create|insert|update|delete)\b(?! (unique )?index)/.test(plain)
  )
    found.push('may break off half done')
  const made = new Set(
    [...plain.matchAll(/\bcreate table (?:if not exists )?(\w+)/g)].map(([, name]) => name),
  )
  for (const [, table] of plain.matchAll(
    /\bcreate (?:unique )?index (?!concurrently)\S+(?: if not exists \S+)? on (\w+)/g,
  )) {
    if (!made.has(table)) found.push(`keeps ${table} from being written while an index is built`)
  }
  if (changesRowsBehindAlter(sql)) found.push('changes rows while it keeps a table locked')
  return found
}

/** `alter table` locks out everybody until the transaction ends: for as long as the rows are many. */
function changesRowsBehindAlter(sql: string): boolean {
  const statements = sql
    .toLowerCase()
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/\$\$.*?\$\$/gs, '')
    .split(';')
    .map(statement => statement.trim())
  const firstAlter = statements.findIndex(statement => statement.startsWith('alter table'))
  return (
    firstAlter !== -1 &&
    statements
      .slice(firstAlter)
      .some(statement => /^(update|delete|with\b.*\b(update|delete from))\b/s.test(statement))
  )
}

describe('what is dangerous', () => {
  test.each([
    ['alter table call drop column rate', 'takes something away'],
    ['drop table\n call', 'takes something away'],
    ['alter table call rename column rate to price', 'renames'],
    ['alter table call alter column rate type int8', 'changes a type'],
    ['alter table call alter rate type int8', 'changes a type'],
    ['alter table call alter column rate set not null', 'demands a value'],
    ['alter table call add column price int8 not null, add column a int', 'demands a value'],
    ['create index call_by_rate on call (rate)', 'keeps call from being written while an index is built'],
    ['-- no transaction\nalter table call add column a int', 'may break off half done'],
    ['-- no transaction\ncreate table if not exists offer (id int)', 'may break off half done'],
    ['-- no transaction\nupdate call set rate = 1', 'may break off half done'],
    [
      'alter table call add column a int;\nupdate call set a = 1 where state = 2',
      'changes rows while it keeps a table locked',
    ],
    [
      'alter table call add column a int; delete from call_meter',
      'changes rows while it keeps a table locked',
    ],
    [
      'alter table call add column a int; with old as (select 1) update job set a = 1',
      'changes rows while it keeps a table locked',
    ],
  ])('%s', (sql, danger) => {
    expect(findDangers(sql)).toEqual([danger])
  })
  test.each([
    'alter table call add column price int8 not null default 0, add column note text',
    'create table offer (id int not null primary key); create index offer_by_id on offer (id)',
    'create index concurrently call_by_rate on call (rate)',
    '-- drop table call;\nselect 1',
    'update call set a = 1; alter table call add column b int',
    'alter table call add column b int; create function f() as $$ begin; update call set b = 1; end $$',
    'alter table call add column b int; create trigger t before update on call for each row execute function f()',
    '-- no transaction\ndrop index if exists a;\ncreate unique index concurrently a on call (rate)',
  ])('not: %s', sql => {
    expect(findDangers(sql)).toEqual([])
  })
})

test('new migrations leave what servers of the version before use', async () => {
  const names = await migrationNames()
  expect(names).toContain(lastOfOld)
  const dangerous = names
    .filter(name => name > lastOfOld && !name.endsWith('.contract.sql'))
    .map(name => ({
      name,
      dangers: findDangers(readFileSync(join(migrationDirectory, name), 'utf8')).filter(
        danger => danger !== letPass.get(name),
      ),
    }))
    .filter(({ dangers }) => dangers.length > 0)
  expect(dangerous).toEqual([])
})
