import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createLog } from '#server/http/log.ts'
import { enqueue } from '#server/jobs/queue.ts'
import { type FailedJob, type JobTools, runDueJobs, startDueJobs } from '#server/jobs/run.ts'
import { AddressRefused, type Mail } from '#server/mail/port.ts'
import { createSmtpMailer, replyTimeoutMs, type SmtpMailer } from '#server/mail/smtp.ts'
import { makeCertificate } from '#support/certificate.ts'
import {
  type CertificateText,
  type SmtpServer,
  type SmtpServerOptions,
  startSmtpServer,
} from '#support/smtp-server.ts'
import { findFreePort } from '#support/test-server.ts'
import { createWeb, password, type Web } from '#support/web.ts'

const mail: Mail = {
  key: 'receipt:17',
  to: 'anna@example.com',
  replyTo: 'support@farline.example',
  subject: 'Your receipt, €25',
  text: 'Thank you.\n.\nThat dot stands alone.',
  html: '<p>Thank you, Zoë.</p>',
}
const from = 'post@farline.example'
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

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function start(options?: SmtpServerOptions): Promise<SmtpServer> {
  const server = await startSmtpServer(options)
  ends.push(() => server.close())
  return server
}

function mailerFor(url: string, authorities?: readonly string[]): SmtpMailer {
  const mailer = createSmtpMailer({ url, from }, authorities)
  ends.push(() => mailer.close())
  return mailer
}

function toolsFor(
  { db, clock }: Web,
  server: SmtpServer,
  replyTimeout?: number,
): JobTools & { failed: FailedJob[] } {
  const mailer = createSmtpMailer({ url: `smtp://127.0.0.1:${server.port}`, from }, undefined, replyTimeout)
  ends.push(() => mailer.close())
  const failed: FailedJob[] = []
  return { db, clock, mailer, failed, onFailure: job => failed.push(job) }
}

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

test('a server has 10 minutes to reply to a whole mail, as RFC 5321 asks, and no copy is sent meanwhile', async () => {
  expect(replyTimeoutMs).toBe(600_000)
  const web = await createWeb()
  ends.push(() => web.close())
  const server = await start()
  // Longer than any other step may take, and than a turn of jobs waits.
  server.hang(9500)
  const tools = toolsFor(web, server)
  await enqueue(web.db, { kind: 'mail', mail }, web.clock.now())
  const { taken, mails } = await startDueJobs(tools)
  expect(taken).toBe(1)
  // Its claim is renewed when the server has the whole of it.
  const claimed = web.clock.now().getTime() + 600_000
  const dueAt = async () =>
    (await web.db.query<{ run_at: Date }>('select run_at from job'))[0]?.run_at.getTime()
  await expect.poll(dueAt).toBeGreaterThan(claimed)
  for (let minute = 0; minute < 10; minute += 1) {
    web.clock.advance(60_000)
    expect(await runDueJobs(tools)).toBe(0)
  }
  await mails
  web.clock.advance(24 * 3600 * 1000)
  expect(await runDueJobs(tools)).toBe(0)
  expect(server.mails).toHaveLength(1)
  expect(tools.failed).toEqual([])
})

test('five e-mails whose reply is slow delay no other job, and a sixth loses no attempt', async () => {
  const web = await createWeb()
  ends.push(() => web.close())
  const server = await start()
  server.hang(4000)
  const hungUp: string[] = []
  const tools = {
    ...toolsFor(web, server),
    // Long enough to hand a mail over, and shorter than the reply.
    longestWorkMs: 1500,
    hangUp: async (callId: string) => void hungUp.push(callId),
  }
  const now = web.clock.now()
  const attempts = async (key: string) =>
    (await web.db.query<{ attempts: number }>('select attempts from job where key = $1', [`mail:${key}`]))[0]
      ?.attempts
  for (let number = 1; number <= 5; number += 1)
    await enqueue(web.db, { kind: 'mail', mail: { ...mail, key: `slow:${number}` } }, now)
  const first = await startDueJobs(tools)
  await expect.poll(() => server.mails.length).toBe(5)

  server.hang(false)
  await enqueue(web.db, { kind: 'mail', mail: { ...mail, key: 'sixth' } }, now)
  await enqueue(web.db, { kind: 'hang_up', callId: 'a-call' }, now)
  expect((await startDueJobs(tools)).taken).toBe(1)
  expect(hungUp).toEqual(['a-call'])
  expect(server.mails).toHaveLength(5)
  expect(await attempts('sixth')).toBe(0)

  await first.mails
  expect(await runDueJobs(tools)).toBe(1)
  expect(server.mails).toHaveLength(6)
  expect(await attempts('sixth')).toBe(1)
  expect(tools.failed).toEqual([])
}, 15_000)

test('a silent mail server delays no other job', async () => {
  const web = await createWeb()
  ends.push(() => web.close())
  const server = await start()
  server.hang('at recipient')
  const hungUp: string[] = []
  const tools = {
    ...toolsFor(web, server),
    longestWorkMs: 3000,
    hangUp: async (callId: string) => void hungUp.push(callId),
  }
  await enqueue(web.db, { kind: 'mail', mail }, web.clock.now())
  await enqueue(web.db, { kind: 'hang_up', callId: 'a-call' }, web.clock.now())
  const { taken, mails } = await startDueJobs(tools)
  expect(taken).toBe(2)
  expect(hungUp).toEqual(['a-call'])
  // Nothing was cut off yet.
  expect(tools.failed).toEqual([])
  await mails
})

test('a complete e-mail without a reply counts as sent: losing it would be worse than a copy', async () => {
  const web = await createWeb()
  ends.push(() => web.close())
  const server = await start()
  server.hang('at end')
  const tools = toolsFor(web, server, 300)
  await enqueue(web.db, { kind: 'mail', mail }, web.clock.now())
  expect(await runDueJobs(tools)).toBe(1)
  web.clock.advance(24 * 3600 * 1000)
  expect(await runDueJobs(tools)).toBe(0)
  expect(server.mails).toHaveLength(1)
  expect(tools.failed).toEqual([])
})

test('sends again, under the same id, an e-mail whose connection breaks before the reply', async () => {
  const web = await createWeb()
  ends.push(() => web.close())
  const port = await findFreePort()
  const first = await start({ port })
  first.hang('at end')
  const tools = toolsFor(web, first)
  await enqueue(web.db, { kind: 'mail', mail }, web.clock.now())
  const { mails } = await startDueJobs(tools)
  await expect.poll(() => first.mails.length).toBe(1)
  await first.close()
  await mails
  expect(tools.failed).toMatchObject([{ gaveUp: false }])
  const second = await start({ port })
  web.clock.advance(5000)
  expect(await runDueJobs(tools)).toBe(1)
  const ids = [first, second].map(server => /^message-id: (.*)$/im.exec(server.mails[0]?.raw ?? '')?.[1])
  expect(ids[0]).toBeDefined()
  expect(ids[1]).toBe(ids[0])
})

test('people register while nothing listens on the port of the mail server, and their e-mail comes once it is back', async () => {
  const web = await createWeb()
  ends.push(() => web.close())
  const port = await findFreePort()
  const mailer = mailerFor(`smtp://127.0.0.1:${port}`)
  const failed: FailedJob[] = []
  const tools = { db: web.db, clock: web.clock, mailer, onFailure: (job: FailedJob) => failed.push(job) }
  const email = 'early@example.com'
  const answer = await web.app.inject({
    method: 'POST',
    url: '/api/auth/register',
    payload: { email, password },
  })
  expect(answer.statusCode).toBe(202)
  expect(await runDueJobs(tools)).toBe(1)
  expect(failed).toMatchObject([{ kind: 'mail', gaveUp: false, reason: 'MailNotTaken ESOCKET' }])

  const server = await start({ port })
  web.clock.advance(3000)
  expect(await runDueJobs(tools)).toBe(1)
  expect(server.mails.map(({ to }) => to)).toEqual([[email]])
  expect(server.mails[0]?.raw).toContain('/verify-email#')
  web.clock.advance(24 * 3600 * 1000)
  expect(await runDueJobs(tools)).toBe(0)
  expect(failed).toHaveLength(1)
})

test('gives up within minutes on an address that the mail server rejects, and logs no address', async () => {
  const web = await createWeb()
  ends.push(() => web.close())
  const server = await start({ refuse: to => `550 5.1.1 no box for ${to}` })
  const mailer = mailerFor(`smtp://127.0.0.1:${server.port}`)
  const logged: string[] = []
  const log = createLog('warn', { write: text => logged.push(text) })
  const onFailure = (job: FailedJob, error: unknown) => log.warn({ job, err: error }, 'a job failed')
  const refused = { ...mail, key: 'once', to: 'nobody-here@example.com' }
  await enqueue(web.db, { kind: 'mail', mail: refused }, web.clock.now())
  const begunMs = web.clock.now().getTime()
  const isDone = async () =>
    (await web.db.query<{ done: boolean }>('select done_at is not null as done from job'))[0]?.done
  while (!(await isDone())) {
    await runDueJobs({ db: web.db, clock: web.clock, mailer, onFailure })
    web.clock.advance(5000)
  }
  expect(web.clock.now().getTime() - begunMs).toBeLessThan(6 * 60_000)
  expect(logged.join('')).toMatch(/"gaveUp":true,"reason":"AddressRefused 550"/)
  expect(logged.join('')).not.toMatch(/nobody-here|example\.com/)
  const [job] = await web.db.query('select data::text, last_error from job')
  expect(job).toEqual({ data: '{}', last_error: 'AddressRefused 550' })
})

test('gives up a mail server that is silent before the end of an e-mail, so that two processes never send at once', async () => {
  const web = await createWeb()
  ends.push(() => web.close())
  const server = await start()
  server.hang('at recipient')
  const tools = toolsFor(web, server)
  await enqueue(web.db, { kind: 'mail', mail }, web.clock.now())
  await runDueJobs({ ...tools, longestWorkMs: 300 })
  expect(tools.failed).toMatchObject([{ reason: 'TimeoutError' }])
  await expect.poll(() => server.connections.open).toBe(0)
})

test.each([
  { at: 'at recipient', outcome: 'another process sends it at once', again: 1 },
  { at: 'at end', outcome: 'nobody sends a copy', again: 0 },
] as const)('a process that stops leaves a mail that hangs $at, and $outcome', async ({ at, again }) => {
  const web = await createWeb()
  ends.push(() => web.close())
  const server = await start()
  server.hang(at)
  const tools = toolsFor(web, server)
  await enqueue(web.db, { kind: 'mail', mail }, web.clock.now())
  const stopping = new AbortController()
  const running = runDueJobs({ ...tools, stopping: stopping.signal })
  if (at === 'at end') await expect.poll(() => server.mails.length).toBe(1)
  else await expect.poll(() => server.connections.open).toBe(1)
  stopping.abort()
  await running
  await expect.poll(() => server.connections.open).toBe(0)
  expect(tools.failed).toEqual([])
  server.hang(false)
  web.clock.advance(24 * 3600 * 1000)
  expect(await runDueJobs(tools)).toBe(again)
  expect(server.mails).toHaveLength(1)
})
