// @module-tag slow
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { AddressRefused } from '#server/mail/port.ts'
import { makeCertificate } from '#support/certificate.ts'
import type { CertificateText } from '#support/smtp-server.ts'
import { createMailWorld, from, mail } from './mail-world.ts'

const login = { user: 'farline', password: 'p@ss/word' }

const certificate = readCertificate()

function readCertificate(): CertificateText | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'farline-certificate-'))
  try {
    const made = makeCertificate(directory)
    if (made !== undefined) {
      return { cert: readFileSync(made.certificate, 'utf8'), key: readFileSync(made.key, 'utf8') }
    }
    console.log(
      'SKIPPED: openssl is not installed. Install it, for example `apt-get install openssl` as root.',
    )
    return undefined
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const { start, mailerFor, close } = createMailWorld()
afterEach(close)

const failureOf = (sent: Promise<unknown>) =>
  sent.then(
    () => undefined,
    (error: Error & { code?: string }) => error,
  )

test('an e-mail arrives as text and as HTML, from the company, with the same id each time it is sent', async () => {
  const server = await start()
  const mailer = mailerFor(`smtp://127.0.0.1:${server.port}`)
  await mailer.send(mail)
  await mailer.send(mail)
  await mailer.send({ ...mail, key: 'receipt:18' })
  const [first, second, other] = server.mails.map(({ raw }) => raw)
  expect(server.mails[0]).toMatchObject({ from, to: ['anna@example.com'] })
  expect(first).toMatch(/^From: Farline <post@farline\.example>\r$/m)
  expect(first).toMatch(/^Reply-To: support@farline\.example\r$/m)
  expect(first).toMatch(/^Auto-Submitted: auto-generated\r$/m)
  expect(first).toMatch(/^Content-Type: multipart\/alternative/m)
  expect(first).toContain('Thank you.\r\n.\r\nThat dot stands alone.')
  expect(first).toContain('Zo=C3=AB')
  const id = (raw = '') => /^Message-ID: (<\w+@farline\.example>)\r$/im.exec(raw)?.[1]
  expect(id(first)).toBeDefined()
  expect(id(second)).toBe(id(first))
  expect(id(other)).not.toBe(id(first))
  expect(server.connections.made).toBe(1)
})

test.skipIf(certificate === undefined)(
  'signs in, over TLS that a remote server requires, and only to a server that it knows',
  async () => {
    if (certificate === undefined) return
    const server = await start({ login, tls: certificate })
    const address = (host: string) =>
      `smtp://${login.user}:${encodeURIComponent(login.password)}@${host}:${server.port}`
    // Another way to name this machine than the ones that need no TLS.
    const elsewhere = address('[::ffff:127.0.0.1]')
    await mailerFor(elsewhere, [certificate.cert]).send(mail)
    expect(server.mails).toMatchObject([{ secure: true, user: login.user }])
    expect(await failureOf(mailerFor(elsewhere).send(mail))).toMatchObject({ code: 'ESOCKET' })
    expect(server.mails).toHaveLength(1)
  },
)

test('sends nothing to a remote server without TLS', async () => {
  const server = await start({ login })
  const url = `smtp://${login.user}:${encodeURIComponent(login.password)}@[::ffff:127.0.0.1]:${server.port}`
  const failure = await failureOf(mailerFor(url).send(mail))
  expect(failure).toMatchObject({ code: 'ETLS 502' })
  expect(server.mails).toEqual([])
})

test("a wrong password is a failure that says so, without the server's text", async () => {
  const server = await start({ login })
  const mailer = mailerFor(`smtp://farline:wrong@127.0.0.1:${server.port}`)
  for (const failure of [await failureOf(mailer.verify()), await failureOf(mailer.send(mail))]) {
    expect(failure).toMatchObject({ name: 'MailNotTaken', code: 'EAUTH 535' })
    expect(String(failure?.stack)).not.toMatch(/who are you|wrong|anna/)
  }
  await mailerFor(`smtp://farline:p%40ss%2Fword@127.0.0.1:${server.port}`).verify()
})

test.for([
  ['550 5.1.1 no such box as anna@example.com', true],
  ['550 no such box', true],
  ['553 5.1.3 that is no address', true],
  ['550 5.2.1 the box is closed', true],
  ['552 5.2.2 the box is full', false],
  ['450 4.2.1 try later', false],
  ['550 5.7.1 relaying denied', false],
  ['554 5.7.1 you are on a list', false],
])('"%s" is final for the address: %s', async ([answer, final]) => {
  const server = await start({ refuse: () => String(answer) })
  const failure = await failureOf(mailerFor(`smtp://127.0.0.1:${server.port}`).send(mail))
  expect(failure instanceof AddressRefused).toBe(final)
  expect(String(failure?.stack)).not.toMatch(/anna/)
})

test('an e-mail that is cut off before its end leaves nothing at the server', async () => {
  const server = await start()
  server.hang('at recipient')
  const mailer = mailerFor(`smtp://127.0.0.1:${server.port}`)
  const cut = new AbortController()
  const sent = failureOf(mailer.send(mail, { signal: cut.signal }))
  await expect.poll(() => server.connections.open).toBe(1)
  cut.abort()
  expect(await sent).toMatchObject({ code: 'EABORT' })
  await expect.poll(() => server.connections.open).toBe(0)
  server.hang(false)
  await mailer.send(mail)
  expect(server.mails).toHaveLength(1)
})
