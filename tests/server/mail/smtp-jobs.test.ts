// @module-tag slow
import { afterEach, expect, test } from 'vitest'
import { createLog } from '#server/http/log.ts'
import { enqueue } from '#server/jobs/queue.ts'
import { type FailedJob, runDueJobs, startDueJobs } from '#server/jobs/run.ts'
import { replyTimeoutMs } from '#server/mail/port.ts'
import { findFreePort } from '#support/test-server.ts'
import { password } from '#support/web.ts'
import { createMailWorld, mail } from './mail-world.ts'

const { start, mailerFor, startWeb, toolsFor, close } = createMailWorld()
afterEach(close)

test('a server has 10 minutes to reply to a whole mail, as RFC 5321 asks, and no copy is sent meanwhile', async () => {
  expect(replyTimeoutMs).toBe(600_000)
  const web = await startWeb()
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
  const web = await startWeb()
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
  const web = await startWeb()
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
  const web = await startWeb()
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
  const web = await startWeb()
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
  const web = await startWeb()
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
  const web = await startWeb()
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
  const web = await startWeb()
  const server = await start()
  server.hang('at recipient')
  const tools = toolsFor(web, server)
  await enqueue(web.db, { kind: 'mail', mail }, web.clock.now())
  await runDueJobs({ ...tools, longestWorkMs: 300 })
  expect(tools.failed).toMatchObject([{ reason: 'TimeoutError' }])
  await expect.poll(() => server.connections.open).toBe(0)
})

test.each([
  { at: 'at recipient', outcome: 'another process sends it at once', afterMs: 0, again: 1 },
  { at: 'at end', outcome: 'nobody sends a copy', afterMs: 24 * 3600 * 1000, again: 0 },
] as const)(
  'a process that stops leaves a mail that hangs $at, and $outcome',
  async ({ at, afterMs, again }) => {
    const web = await startWeb()
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
    web.clock.advance(afterMs)
    expect(await runDueJobs(tools)).toBe(again)
    expect(server.mails).toHaveLength(1)
  },
)
