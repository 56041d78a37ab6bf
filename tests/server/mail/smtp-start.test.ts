// @module-tag slow
import { afterEach, expect, test } from 'vitest'
import { endRuns, environment, run } from '#support/server-run.ts'
import { type SmtpServer, startSmtpServer } from '#support/smtp-server.ts'
import { findFreePort } from '#support/test-server.ts'

let mail: SmtpServer | undefined
afterEach(async () => {
  await endRuns()
  await mail?.close()
})

test('starts while the mail server is away, serves people, and sends their e-mails when it is back', async () => {
  const env = await environment()
  const port = await findFreePort()
  const server = run({ ...env, SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'post@farline.net' })
  await server.until(/ready/)
  const site = await (await fetch(`http://127.0.0.1:${env.PORT}/api/site`)).json()
  expect(site).toMatchObject({ localInbox: false })

  const email = 'early@example.com'
  const registered = await fetch(`http://127.0.0.1:${env.PORT}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'correct horse battery' }),
  })
  expect(registered.status).toBe(202)
  await server.until(/a job failed/)
  expect(server.output()).not.toMatch(/inbox|early|example\.com|verify-email/)

  mail = await startSmtpServer({ port })
  const { mails } = mail
  await expect.poll(() => mails.map(({ to }) => to), { timeout: 30_000 }).toEqual([[email]])
  expect(mails[0]?.raw).toContain('/verify-email#')
  server.child.kill('SIGTERM')
  expect(await server.exitCode()).toBe(0)
})
