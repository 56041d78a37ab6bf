import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { together, variableNames } from '#server/config/environment.ts'
import { defaultCallPolicy } from '#server/config/policy.ts'
import { ConfigError, readConfig } from '#server/config.ts'
import { readPostgresAddress } from '#server/db/postgres-address.ts'
import { apiVersion } from '#server/payment-provider/stripe/client.ts'
import { eventTypes } from '#server/payment-provider/stripe/events.ts'

function problems(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

test('without any variable the embedded defaults hold', () => {
  expect(readConfig({})).toMatchObject({
    production: false,
    port: 4321,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:4321',
    publicUrlFromPort: true,
    dataDirectory: 'var',
    accessTokenSeconds: 900,
    voiceTokenSeconds: 600,
    policy: defaultCallPolicy,
  })
})

test('a limit is given for each tier of accounts, or once for all', () => {
  const { policy } = readConfig({ CONCURRENT_CALLS: '1,2,3', HIGHEST_RATE_USD_CENTS: '75' })
  expect(policy.tiers).toMatchObject({
    never_paid: { concurrentCalls: 1, highestRateMicroUsd: 750_000 },
    newly_paid: { concurrentCalls: 2, highestRateMicroUsd: 750_000 },
    established: { concurrentCalls: 3, highestRateMicroUsd: 750_000 },
  })
})

test('chooses the media address for each call unless one is configured', () => {
  expect(readConfig({}).exchangeAddress).toEqual({ bound: undefined, ports: undefined })
  expect(readConfig({ EXCHANGE_PORTS: '20000-20100' }).exchangeAddress).toEqual({
    bound: undefined,
    ports: [20_000, 20_100],
  })
  expect(readConfig({ EXCHANGE_BIND_ADDRESS: '192.0.2.7' }).exchangeAddress).toEqual({
    advertised: '192.0.2.7',
    bound: '192.0.2.7',
    ports: undefined,
  })
})

test('binds media to the address that browsers are given, unless another is configured', () => {
  expect(readConfig({ EXCHANGE_ADDRESS: '192.0.2.7' }).exchangeAddress).toEqual({
    advertised: '192.0.2.7',
    bound: '192.0.2.7',
    ports: undefined,
  })
  expect(
    readConfig({
      EXCHANGE_ADDRESS: '192.0.2.7',
      EXCHANGE_BIND_ADDRESS: '172.17.0.2',
      EXCHANGE_PORTS: '20000-20100',
    }).exchangeAddress,
  ).toEqual({ advertised: '192.0.2.7', bound: '172.17.0.2', ports: [20_000, 20_100] })
})

test('the books are in the data directory, or in the PostgreSQL that is named', () => {
  expect(readConfig({})).toMatchObject({ databaseUrl: undefined, databasePool: 10 })
  const databaseUrl = 'postgresql://farline:secret@db.example:5432/farline?sslmode=require'
  expect(readConfig({ DATABASE_URL: databaseUrl, DATABASE_POOL: '25' })).toMatchObject({
    databaseUrl,
    databasePool: 25,
  })
})

test('a database address that is only written wrongly is left to who explains it', () => {
  for (const databaseUrl of ['postgres://u:sec/ret@h/db', 'postgres://u:sec#ret@h/db', 'postgres://u@/db']) {
    expect(readConfig({ DATABASE_URL: databaseUrl })).toMatchObject({ databaseUrl })
    expect(() => readPostgresAddress(databaseUrl)).toThrow(
      /^DATABASE_URL is not a valid address\. Write postgres:/,
    )
  }
})

test('an empty value counts as missing', () => {
  expect(readConfig({ PORT: '', DATA_DIR: '' })).toMatchObject({ port: 4321, dataDirectory: 'var' })
})

test.each([
  [{ PORT: 'http' }, 'PORT'],
  [{ PORT: '70000' }, 'PORT'],
  [{ PUBLIC_URL: 'farline.example' }, 'PUBLIC_URL'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
  [{ TOKEN_SECRET: 'short' }, 'TOKEN_SECRET'],
  [{ POLICY_OVERRIDES: '{"voiceTokenSeconds":10}' }, 'POLICY_OVERRIDES'],
  [{ EXCHANGE_ADDRESS: 'localhost' }, 'EXCHANGE_ADDRESS'],
  [{ EXCHANGE_BIND_ADDRESS: '10.0.0' }, 'EXCHANGE_BIND_ADDRESS'],
  [{ EXCHANGE_PORTS: '20000' }, 'EXCHANGE_PORTS'],
  [{ EXCHANGE_PORTS: '20100-20000' }, 'EXCHANGE_PORTS'],
  [{ EXCHANGE_PORTS: '20000-70000' }, 'EXCHANGE_PORTS'],
  [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL'],
  [{ DATABASE_POOL: '1' }, 'DATABASE_POOL'],
  [{ CONCURRENT_CALLS: '1,2' }, 'CONCURRENT_CALLS'],
  [{ CONCURRENT_CALLS: '1,0,2' }, 'CONCURRENT_CALLS'],
])('a bad value is a start-up error that names it: %j', (environment, name) => {
  expect(problems(environment)).toEqual([expect.stringMatching(`^${name}: `)])
})

test('production names all missing keys at once, and falls back to no stand-in', () => {
  const named = problems({ NODE_ENV: 'production' }).map(problem => problem.split(':')[0])
  expect(named).toEqual([
    'PUBLIC_URL',
    'TOKEN_SECRET',
    'DATABASE_URL',
    'TWILIO_ACCOUNT_SID',
    'TWILIO_AUTH_TOKEN',
    'TWILIO_API_KEY',
    'TWILIO_API_SECRET',
    'TWILIO_APP_SID',
    'TWILIO_NUMBER',
    'SMTP_URL',
    'STRIPE_SECRET_KEY',
    'STRIPE_WEBHOOK_SECRET',
  ])
})

test('cards are taken by the local checkout, or by the Stripe account whose key and signing secret are named', () => {
  expect(readConfig({}).stripe).toBeUndefined()
  const [secretKey, webhookSecret] = ['rk_test_51Abc', 'whsec_0123']
  expect(readConfig({ STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret }).stripe).toEqual({
    secretKey,
    webhookSecret,
  })
  const another = 'required together with the other variables of Stripe'
  expect(problems({ STRIPE_SECRET_KEY: secretKey })).toEqual([`STRIPE_WEBHOOK_SECRET: ${another}`])
  expect(problems({ STRIPE_WEBHOOK_SECRET: webhookSecret })).toEqual([`STRIPE_SECRET_KEY: ${another}`])
})

test('a wrong key is named and not shown', () => {
  const named = problems({ STRIPE_SECRET_KEY: 'pk_live_51Abc', STRIPE_WEBHOOK_SECRET: 'whsec_0123' })
  expect(named).toEqual(['STRIPE_SECRET_KEY: must be a secret key, which starts with sk_ or rk_'])
})

test('the configuration page names the API version and every event that the webhook endpoint is to be sent', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/configuration.md'), 'utf8')
  expect(page).toContain(`\`${apiVersion}\``)
  expect(eventTypes.filter(type => !page.includes(`\`${type}\``))).toEqual([])
})

test('the configuration page has a row for every variable', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/configuration.md'), 'utf8')
  expect(variableNames.filter(name => !page.includes(`| \`${name}\` |`))).toEqual([])
})

test('the review site is a page of ours unless one is named; in production there is none by itself', () => {
  expect(readConfig({}).reviewUrl).toBe('/dev/review')
  expect(readConfig({ REVIEW_URL: 'https://reviews.example/farline' }).reviewUrl).toBe(
    'https://reviews.example/farline',
  )
  expect(problems({ REVIEW_URL: 'javascript:alert(1)' })).toEqual([
    'REVIEW_URL: must be an http or https address',
  ])
})

test('Google is asked with a client of ours, at its own address; production does without', () => {
  expect(readConfig({}).google).toBeUndefined()
  const client = { GOOGLE_CLIENT_ID: 'us.apps.example', GOOGLE_CLIENT_SECRET: 'secret' }
  expect(readConfig(client).google).toEqual({
    issuer: 'https://accounts.google.com',
    clientId: 'us.apps.example',
    clientSecret: 'secret',
  })
  expect(problems({ GOOGLE_CLIENT_ID: 'us.apps.example' }).join()).toMatch(/^GOOGLE_CLIENT_SECRET: required/)
  expect(problems({ GOOGLE_CLIENT_SECRET: 'secret' }).join()).toMatch(/^GOOGLE_CLIENT_ID: required/)
  expect(problems({ NODE_ENV: 'production' }).join()).not.toContain('GOOGLE')
  const plain = { NODE_ENV: 'production', GOOGLE_ISSUER: 'http://issuer.example' }
  expect(problems(plain)).toContain('GOOGLE_ISSUER: must be an https address in production')
})

const [account, key, application] = ['AC', 'SK', 'AP'].map(kind => kind + '0123456789abcdef'.repeat(2))
const twilio = {
  TWILIO_ACCOUNT_SID: account ?? '',
  TWILIO_AUTH_TOKEN: 'token',
  TWILIO_API_KEY: key ?? '',
  TWILIO_API_SECRET: 'secret',
  TWILIO_APP_SID: application ?? '',
  TWILIO_NUMBER: '+14155550100',
  // A real account belongs to production alone.
  TWILIO_API_URL: 'http://127.0.0.1:4390',
}

test('calls go over the local exchange, or over the Twilio account that is named whole', () => {
  expect(readConfig({}).twilio).toBeUndefined()
  expect(readConfig(twilio).twilio).toEqual({
    accountSid: account,
    authToken: 'token',
    apiKey: key,
    apiSecret: 'secret',
    appSid: application,
    publicNumber: '+14155550100',
    apiUrl: 'http://127.0.0.1:4390',
  })
  for (const name of together.Twilio) {
    expect(problems({ ...twilio, [name]: '' })).toEqual([
      `${name}: required together with the other variables of Twilio`,
    ])
  }
  expect(problems({ ...twilio, TWILIO_ACCOUNT_SID: key ?? '' })).toEqual([
    'TWILIO_ACCOUNT_SID: must be AC and 32 hexadecimal digits',
  ])
  expect(problems({ NODE_ENV: 'production', TWILIO_API_URL: 'http://twilio.example' })).toContain(
    'TWILIO_API_URL: must be an https address in production',
  )
})

test('the network that carries the calls can be named, whatever else is set', () => {
  expect(readConfig({})).toMatchObject({ twilio: undefined, trunkFile: undefined })
  expect(readConfig({ ...twilio, TELEPHONY: 'exchange' })).toMatchObject({
    twilio: undefined,
    trunkFile: undefined,
  })
  const trunk = { TELEPHONY: 'trunk', TRUNK_FILE: 'trunk.json' }
  expect(readConfig({ ...twilio, ...trunk })).toMatchObject({ twilio: undefined, trunkFile: 'trunk.json' })
  expect(readConfig({ ...twilio, TELEPHONY: 'twilio', TRUNK_FILE: 'trunk.json' })).toMatchObject({
    twilio: { accountSid: account },
    trunkFile: undefined,
  })
  expect(problems({ TELEPHONY: 'trunk' })).toEqual([
    'TRUNK_FILE: required with TELEPHONY=trunk: the file that names edges and carriers',
  ])
  expect(problems({ TELEPHONY: 'twilio' })).toEqual(["TELEPHONY: twilio needs Twilio's variables"])
  expect(problems({ TELEPHONY: 'pigeons' })).toEqual(["TELEPHONY: must be 'exchange', 'twilio' or 'trunk'"])
})

test('e-mails go to the local inbox, or to the configured mail server, from the support address unless another is set', () => {
  expect(readConfig({}).smtp).toBeUndefined()
  const url = 'smtps://user:secret@localhost:465'
  expect(readConfig({ SMTP_URL: url }).smtp).toEqual({ url, from: 'support@farline.example' })
  expect(readConfig({ SMTP_URL: url, MAIL_FROM: 'calls@farline.example' }).smtp?.from).toBe(
    'calls@farline.example',
  )
  expect(problems({ SMTP_URL: 'http://localhost' })).toEqual([
    'SMTP_URL: must start with smtp:// or smtps://',
  ])
})

test('Redis, traces and the reader of the metrics are named or not there', () => {
  expect(readConfig({})).toMatchObject({ redisUrl: undefined, tracesUrl: undefined, metricsToken: undefined })
  const given = {
    REDIS_URL: 'redis://localhost:6379',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318/',
    METRICS_TOKEN: '0123456789abcdef',
  }
  expect(readConfig(given)).toMatchObject({
    redisUrl: 'redis://localhost:6379',
    tracesUrl: 'http://localhost:4318',
    metricsToken: '0123456789abcdef',
  })
})
