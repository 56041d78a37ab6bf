import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { libpqVariables } from '#server/backup/libpq.ts'
import { withoutTransactionTimeout } from '#server/backup/older-server.ts'
import { readPostgresAddress } from '#server/db/postgres-address.ts'

const line = 'SET transaction_timeout = 0;\n'

test('leaves out what PostgreSQL 16 does not know, wherever it is cut, and nothing of the data', async () => {
  const head = `--\nSET lock_timeout = 0;\nSET idle_in_transaction_session_timeout = 0;\n`
  const data = `${'row\n'.repeat(2000)}${line}${'row\n'.repeat(2000)}`
  const script = `${head}${line}${data}`
  for (const size of [1, 7, 4096, 100_000]) {
    const parts = Array.from({ length: Math.ceil(script.length / size) }, (_, part) =>
      Buffer.from(script.slice(part * size, (part + 1) * size)),
    )
    expect(await text(Readable.from(parts).pipe(withoutTransactionTimeout()))).toBe(head + data)
  }
  expect(await text(Readable.from([Buffer.from(`a${line}`)]).pipe(withoutTransactionTimeout()))).toBe(
    `a${line}`,
  )
  expect(await text(Readable.from([]).pipe(withoutTransactionTimeout()))).toBe('')
})

test('a certificate is checked against whom the server trusts', () => {
  const strict = readPostgresAddress('postgres://farline:secret@db.example/farline?sslmode=verify-full')
  const rootOf = (environment: Record<string, string>, version: number, bundle = '') =>
    libpqVariables(
      strict,
      environment,
      () => version,
      path => path === bundle,
    )['PGSSLROOTCERT']
  const debian = '/etc/ssl/certs/ca-certificates.crt'
  expect(rootOf({}, 17)).toBe('system')
  expect(rootOf({}, 16)).toBe('system')
  expect(rootOf({}, 15, debian)).toBe(debian)
  expect(rootOf({}, 15, '/etc/ssl/cert.pem')).toBe('/etc/ssl/cert.pem')
  expect(rootOf({}, 15)).toBeUndefined()
  expect(rootOf({ NODE_EXTRA_CA_CERTS: '/etc/farline/ca.pem' }, 17)).toBe('/etc/farline/ca.pem')
  // What the operator set reaches the program with the rest of the environment.
  expect(rootOf({ PGSSLROOTCERT: '/etc/farline/db.pem' }, 17)).toBeUndefined()
  const plain = readPostgresAddress('postgres://farline:secret@db.example/farline?sslmode=require')
  const variables = libpqVariables(plain, {}, () => 17)
  expect([variables['PGSSLMODE'], variables['PGSSLROOTCERT']]).toEqual(['require', undefined])
})
