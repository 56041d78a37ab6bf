import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSmtpServer } from '#support/smtp-server.ts'

const root = join(import.meta.dirname, '..', '..', '..')

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'farline-doctor-'))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** The command as an operator runs it. */
async function doctor(environment: Record<string, string>) {
  const child = spawn(process.execPath, ['server/doctor.ts'], {
    cwd: root,
    env: {
      PATH: process.env.PATH ?? '',
      DATA_DIR: directory,
      PUBLIC_URL: 'http://127.0.0.1:9',
      ...environment,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += String(chunk)))
  const [code] = await once(child, 'close')
  return { code, output }
}

test('exits with 0 for what works, with stand-ins; with 1 and a remedy for what keeps the server from working', async () => {
  const mail = await startSmtpServer()
  const url = `smtp://127.0.0.1:${mail.port}`
  const fine = await doctor({ SMTP_URL: url, MAIL_FROM: 'post@farline.net' })
  expect(fine.code).toBe(0)
  expect(fine.output).toMatch(/^ok {7}Configuration: For development, read from the environment/)
  expect(fine.output).toMatch(/^ok {7}Mail: 127\.0\.0\.1:\d+ accepts the login/m)
  expect(fine.output).toMatch(/^ok {7}Twilio: Twilio is not set up: the local exchange carries calls\.$/m)
  expect(fine.output).toMatch(/^warning {2}Public address: .*\n {9}Start the server\./m)
  expect(fine.output).toMatch(/^0 problems, \d warnings\.$/m)

  await mail.close()
  const ill = await doctor({ SMTP_URL: url.replace('//', '//farline:hunter2@') })
  expect(ill.code).toBe(1)
  expect(ill.output).toMatch(
    /^problem {2}Mail: .*\(ESOCKET\)\.\n {9}Check the host and the port in SMTP_URL/m,
  )
  expect(ill.output).not.toContain('hunter2')
})

test('under trunks checks what their file names, and nothing stands in for it', async () => {
  const trunk = await doctor({ TELEPHONY: 'trunk', TRUNK_FILE: join(directory, 'trunk.json') })
  expect(trunk.code).toBe(1)
  expect(trunk.output).toMatch(/^problem {2}Trunk file: .*trunk\.json cannot be read: ENOENT.*\n {9}Correct/m)
  expect(trunk.output).not.toContain('Twilio')
  const without = await doctor({ TELEPHONY: 'trunk' })
  expect(without.output).toMatch(/^problem {2}Configuration: TRUNK_FILE: required/m)
  expect(without.output).not.toContain('Twilio')
})

test('with some variables missing or wrong, checks the parts that are complete all the same', async () => {
  const mail = await startSmtpServer()
  const smtp = { SMTP_URL: `smtp://127.0.0.1:${mail.port}`, MAIL_FROM: 'post@farline.net' }
  const here = await doctor({ ...smtp, PORT: 'many', TWILIO_AUTH_TOKEN: 'alone' })
  expect(here.code).toBe(1)
  expect(here.output).toMatch(/^problem {2}Configuration: PORT: /m)
  expect(here.output).toMatch(/^problem {2}Configuration: TWILIO_ACCOUNT_SID: required together with/m)
  expect(here.output).toMatch(/^ok {7}Mail: 127\.0\.0\.1:\d+ accepts the login/m)
  expect(here.output).toMatch(/^ok {7}Data directory: /m)

  const production = await doctor({
    ...smtp,
    NODE_ENV: 'production',
    PUBLIC_URL: '',
    DATABASE_URL: 'nonsense',
  })
  expect(production.code).toBe(1)
  expect(production.output).toMatch(/^ok {7}Mail: 127\.0\.0\.1:\d+ accepts the login/m)
  // What production lacks has no stand-in, and an address that nobody named is nobody's.
  expect(production.output).not.toMatch(/local exchange|local checkout|Public address:/)
  await mail.close()
})

test('reports an unreadable environment variable by variable, without its values', async () => {
  const { code, output } = await doctor({ NODE_ENV: 'production', TOKEN_SECRET: 'hunter2', PORT: 'many' })
  expect(code).toBe(1)
  for (const name of ['PORT', 'TOKEN_SECRET', 'DATABASE_URL', 'SMTP_URL', 'TWILIO_ACCOUNT_SID']) {
    expect(output).toMatch(new RegExp(`^problem {2}Configuration: ${name}: `, 'm'))
  }
  expect(output).not.toContain('hunter2')
})
