import { expect, test } from 'vitest'
import { readPostgresAddress } from '#server/db/postgres-address.ts'
import { StartError } from '#server/process/start-error.ts'

test('reads every part, and has defaults for those that may be missing', () => {
  expect(readPostgresAddress('postgres://me:se%40cret@db.example:6543/books?sslmode=require')).toEqual({
    host: 'db.example',
    port: 6543,
    user: 'me',
    password: 'se@cret',
    database: 'books',
    ssl: 'require',
    applicationName: 'farline',
  })
  expect(readPostgresAddress('postgresql://me@localhost/books?application_name=test')).toEqual({
    host: 'localhost',
    port: 5432,
    user: 'me',
    password: '',
    database: 'books',
    ssl: 'prefer',
    applicationName: 'test',
  })
})

test('reads a Unix socket and an IPv6 address', () => {
  expect(
    readPostgresAddress('postgres://me@localhost/books?host=/run/postgresql&sslmode=require'),
  ).toMatchObject({
    host: '/run/postgresql',
    ssl: false,
  })
  expect(readPostgresAddress('postgres://me@%2Frun%2Fpostgresql/books').host).toBe('/run/postgresql')
  expect(readPostgresAddress('postgres://me@[::1]:5433/books')).toMatchObject({ host: '::1', port: 5433 })
})

test.each([
  ['postgres://me:pass word@/', /is not a valid address/],
  ['postgres://me:50%@host/books', /is not a valid address/],
  ['postgres://host/books', /must name a user and a database/],
  ['postgres://me:hidden@host', /must name a user and a database/],
  ['postgres://me:hidden@host/books?sslmode=yes', /unknown sslmode/],
  ['postgres://me:hidden@host/books?sslrootcert=x', /unknown parameter, sslrootcert/],
])('says what is wrong with %s, without the password', (url, expected) => {
  expect(() => readPostgresAddress(url)).toThrow(StartError)
  expect(() => readPostgresAddress(url)).toThrow(expected)
  expect(() => readPostgresAddress(url)).not.toThrow(/hidden|pass word|50%/)
})
