import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { afterAll, expect, test, vi } from 'vitest'
import { followCertificate, readCertificate } from '#server/observability/certificate.ts'
import { makeCertificate } from '#support/certificate.ts'

const directory = mkdtempSync(join(tmpdir(), 'farline-certificate-'))
const made = makeCertificate(directory)
if (made === undefined) console.log('SKIPPED: openssl, which makes a certificate, is not installed')
afterAll(() => rmSync(directory, { recursive: true }))

/** A server that shows a certificate which nobody trusts, and when that ends, in Unix seconds. */
async function serve() {
  if (made === undefined) throw new Error('there is no certificate')
  const cert = readFileSync(made.certificate)
  const server = createServer({ key: readFileSync(made.key), cert }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endsAt = new X509Certificate(cert).validToDate.getTime() / 1000
  return { endsAt, port: (server.address() as AddressInfo).port, close: () => server.close() }
}

test.skipIf(made === undefined)('reads when a certificate expires, even of an untrusted one', async () => {
  const { endsAt, port, close } = await serve()
  expect(await readCertificate('127.0.0.1', port)).toBe(endsAt)
  close()
})

test.skipIf(made === undefined)(
  'checks in the background, once an hour, and keeps the last result while there is no answer',
  async () => {
    const { endsAt, port, close } = await serve()
    let nowMs = 0
    const endsWhen = followCertificate(`https://127.0.0.1:${port}`, () => nowMs)
    expect(endsWhen()).toBeUndefined()
    await vi.waitFor(() => expect(endsWhen()).toBe(endsAt))
    close()
    nowMs = 3600_000
    expect(endsWhen()).toBe(endsAt)
    expect(await readCertificate('127.0.0.1', port)).toBeUndefined()
    expect(endsWhen()).toBe(endsAt)
  },
)

test('reports none if the public address is not secure', () => {
  expect(followCertificate('http://localhost:4321', () => 0)()).toBeUndefined()
})
