import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lockDirectory } from '#server/db/directory-lock.ts'
import { checkAddress } from '#server/doctor/address.ts'
import { checkSite } from '#server/doctor/checks.ts'
import { checkDirectory, roomLeft } from '#server/doctor/directory.ts'
import { aboutEnvironment } from '#server/doctor/environment.ts'
import { checkMail } from '#server/doctor/mail.ts'
import { checkRedis } from '#server/doctor/redis.ts'
import { examine, findingsAbout } from '#server/process/finding.ts'
import { redisIsMissing, startRedis } from '#support/redis.ts'
import { startSmtpServer } from '#support/smtp-server.ts'
import { findFreePort } from '#support/test-server.ts'
import { createWeb } from '#support/web.ts'
import { found } from './examine.ts'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'farline-doctor-'))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const data = (dataDirectory: string) =>
  checkDirectory({ dataDirectory, databaseUrl: 'postgres://db', tokenSecret: 'x' })

test('a check that throws or never answers is a problem, and prints no text that may hold a secret', async () => {
  const never = { about: 'Never', run: () => new Promise<never>(() => {}) }
  expect(await found(never, 20)).toEqual(['problem: No answer within 0.02 seconds.'])
  const run = () => Promise.reject(Object.assign(new TypeError('hunter2'), { code: 'EODD' }))
  const findings = await examine({ about: 'Odd', run })
  expect(findings).toMatchObject([{ state: 'problem', says: 'It could not be checked (TypeError, EODD).' }])
  expect(JSON.stringify(findings)).not.toContain('hunter2')
})

test('the data directory: free, in use, not there yet, not writable, too long a path, and what room is left', async () => {
  expect(await found(data(directory))).toEqual([
    `ok: ${directory} is writable. No server uses it.`,
    expect.stringMatching(/^(ok|warning): [\d,]+ MiB are free on its disk\.$/),
  ])
  const lock = lockDirectory(directory)
  expect((await found(data(directory)))[0]).toBe(`ok: ${directory} is writable. A server uses it.`)
  lock.release()
  const later = join(directory, 'later')
  expect((await found(data(later)))[0]).toBe(`ok: The first start creates ${later}.`)
  writeFileSync(join(directory, 'a-file'), '')
  expect(await found(data(join(directory, 'a-file')))).toEqual([
    expect.stringMatching(/^problem: This user cannot write to .* \(ENOTDIR\)\.$/),
  ])
  expect(await found(data(join(directory, 'x'.repeat(120))))).toEqual([
    expect.stringMatching(/^problem: The path of the data directory .* is too long/),
  ])
  const find = findingsAbout('Room')
  expect([2 ** 40, 2 ** 29, 2 ** 20].map(free => roomLeft(free, find).state)).toEqual([
    'ok',
    'warning',
    'problem',
  ])
})

test('says that the embedded database and the secret are in the data directory', async () => {
  const check = checkDirectory({ dataDirectory: directory, databaseUrl: undefined, tokenSecret: undefined })
  expect((await found(check)).join(' ')).toMatch(/holds the embedded database.*secret that signs tokens/)
})

test('names the checked configuration first, and reports that of development as a problem where production runs', () => {
  const there = directory
  const missing = join(directory, 'missing')
  const about = (
    environment: Record<string, string>,
    environmentFile: string,
    developmentPackage: string,
  ) => {
    const { state, says } = aboutEnvironment(environment, { environmentFile, developmentPackage })
    return `${state}: ${says}`
  }
  expect(about({ NODE_ENV: 'production', PORT: '4321', HOST: '' }, there, missing)).toBe(
    'ok: For production, read from the environment (1 variables).',
  )
  expect(about({}, missing, there)).toMatch(/^ok: For development, .* NODE_ENV is not production\.$/)
  expect(about({}, there, there)).toMatch(
    /^problem: For development, .* their environment was not checked\.$/,
  )
  expect(about({ NODE_ENV: 'staging' }, missing, missing)).toMatch(/^problem: For development/)
})

test('the built site is there, or to be built', async () => {
  expect(await found(checkSite(directory))).toEqual(['warning: The pages are not built yet.'])
  writeFileSync(join(directory, 'index.html'), '')
  expect(await found(checkSite(directory))).toEqual(['ok: The pages are built.'])
})

test('the public address answers as ours, as another, or not; http and an untrusted proxy are reported', async () => {
  const web = await createWeb()
  const publicUrl = await web.app.listen({ port: 0, host: '127.0.0.1' })
  const address = (url: string, production = false, trustedProxies = 0) =>
    found(checkAddress({ publicUrl: url, production, trustedProxies, tokenSecret: undefined }))
  expect(await address(publicUrl)).toEqual([`ok: ${publicUrl} answers.`])
  await web.close()
  expect(await address(publicUrl)).toEqual([
    `warning: ${publicUrl} does not answer this machine (ECONNREFUSED).`,
  ])
  expect((await address('http://farline.invalid')).map(line => line.split(' ', 4).join(' '))).toEqual([
    'warning: http://farline.invalid is not',
    'warning: The name farline.invalid',
  ])
  const secure = `https://localhost:${await findFreePort()}`
  expect((await address(secure, true)).join()).toContain('TRUSTED_PROXIES is 0')
  expect((await address(secure, true, 1)).join()).not.toContain('TRUSTED_PROXIES')
})

test('the mail server accepts the log-in, rejects the password, or is not there', async () => {
  const server = await startSmtpServer({ login: { user: 'farline', password: 'hunter2' } })
  const mail = (password: string, from = 'post@farline.net') =>
    examine(checkMail({ url: `smtp://farline:${password}@127.0.0.1:${server.port}`, from }))
  const host = `127.0.0.1:${server.port}`
  expect(await mail('hunter2')).toMatchObject([
    { state: 'ok', says: `${host} accepts the login. E-mails come from post@farline.net.` },
  ])
  expect(server.mails).toEqual([])
  expect(await mail('hunter2', 'post@farline.example')).toMatchObject([{ state: 'ok' }, { state: 'warning' }])
  const refused = await mail('hunter3')
  expect(refused).toMatchObject([
    { state: 'problem', mend: expect.stringContaining('the password in SMTP_URL') },
  ])
  expect(JSON.stringify(refused)).not.toContain('hunter')
  await server.close()
  expect(await mail('hunter2')).toMatchObject([
    { state: 'problem', says: `${host} cannot be used (ESOCKET).` },
  ])
})

test.skipIf(redisIsMissing())('Redis answers with its version, or not', async () => {
  const redis = await startRedis()
  expect(await found(checkRedis(redis.url))).toEqual([
    expect.stringMatching(/^ok: Redis [\d.]+ answers and accepts writes\.$/),
  ])
  const password = Object.assign(new URL(redis.url), { username: 'nobody', password: 'hunter2' }).href
  const refused = await found(checkRedis(password))
  expect(refused).toEqual(['problem: Redis rejects the password.'])
  const client = new Redis(redis.url)
  expect(await client.pttl('farline:doctor')).toBeGreaterThan(0)
  await client.config('SET', 'maxmemory', '1')
  expect(await found(checkRedis(redis.url))).toEqual(['problem: Redis answers, but rejects writes (OOM).'])
  await client.config('SET', 'maxmemory', '0')
  await client.replicaof('127.0.0.1', '1')
  expect(await found(checkRedis(redis.url))).toEqual(['problem: Redis is a replica, which is read-only.'])
  client.disconnect()
  await redis.close()
  expect(await found(checkRedis(redis.url))).toEqual(['problem: Redis does not answer (ECONNREFUSED).'])
})
