import { createHash } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { riskNames } from '#server/config/environment.ts'
import { weaknessOf } from '#server/config/secret-strength.ts'
import { ConfigError, readConfig } from '#server/config.ts'
import { checkConfiguration, configurationProblems, report } from '#server/doctor/checks.ts'
import { endRuns, environment, run } from '#support/server-run.ts'

afterEach(endRuns)

/** A configuration of production that nothing is wrong with. */
const sound = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://farline.example',
  TOKEN_SECRET: '9f2c41d8a07be3655d1c84f0aa93e27cb6403d18ef5729c07a1be4d6038f52ac',
  DATABASE_URL: 'postgres://farline:hunter2@db.example/farline?sslmode=verify-full',
  REDIS_URL: 'rediss://:hunter2@redis.example:6380',
  TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: 'token',
  TWILIO_API_KEY: `SK${'0'.repeat(32)}`,
  TWILIO_API_SECRET: 'secret',
  TWILIO_APP_SID: `AP${'0'.repeat(32)}`,
  TWILIO_NUMBER: '+14155550100',
  SMTP_URL: 'smtps://user:hunter2@mail.example:465',
  STRIPE_SECRET_KEY: 'rk_live_51Abc',
  STRIPE_WEBHOOK_SECRET: 'whsec_0123',
}

function problems(given: Record<string, string>): readonly string[] {
  try {
    readConfig(given)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems
  }
}

const placeholderSecret = 'change-me-to-at-least-32-random-characters'
const risky = [
  ['http-public-url', { PUBLIC_URL: 'http://farline.example' }],
  ['weak-token-secret', { TOKEN_SECRET: placeholderSecret }],
  ['test-payment-keys', { STRIPE_SECRET_KEY: 'sk_test_51Abc' }],
  ['test-payment-keys', { STRIPE_SECRET_KEY: 'rk_test_51Abc' }],
  ['plaintext-database', { DATABASE_URL: 'postgres://farline:hunter2@db.example/farline' }],
  ['plaintext-database', { DATABASE_URL: 'postgres://farline:hunter2@10.0.0.5/farline?sslmode=prefer' }],
  ['plaintext-database', { DATABASE_URL: 'postgres://farline:hunter2@db.example/farline?sslmode=disable' }],
  ['plaintext-redis', { REDIS_URL: 'redis://:hunter2@redis.example:6379' }],
] as const

test.each(risky)(
  'production does not start with the risk %s unless it is accepted by name: %j',
  (risk, given) => {
    expect(problems(sound)).toEqual([])
    const [variable = ''] = Object.keys(given)
    const found = problems({ ...sound, ...given })
    expect(found).toEqual([expect.stringMatching(`^${variable}: .*ACCEPTED_RISKS=${risk}$`)])
    expect(found.join()).not.toContain('hunter2')

    const others = riskNames.filter(name => name !== risk).join(',')
    expect(problems({ ...sound, ...given, ACCEPTED_RISKS: others })).toHaveLength(1)
    const accepted = readConfig({ ...sound, ...given, ACCEPTED_RISKS: risk })
    expect(accepted.acceptedRisks.map(({ name }) => name)).toEqual([risk])
    expect(readConfig({ ...sound, ACCEPTED_RISKS: risk }).acceptedRisks).toEqual([])
  },
)

test.each([
  { DATABASE_URL: 'postgres://farline:x@localhost/farline' },
  { DATABASE_URL: 'postgres://farline@localhost/farline?host=/var/run/postgresql' },
  { DATABASE_URL: 'postgres://farline:x@db.example/farline?sslmode=require' },
  { REDIS_URL: 'redis://127.0.0.1:6379' },
  { REDIS_URL: '' },
])('what stays on this machine, or is encrypted, is no risk: %j', given => {
  expect(problems({ ...sound, ...given })).toEqual([])
})

test('production over trunks needs their file, and nothing of Twilio', () => {
  const trunk = Object.fromEntries(Object.entries(sound).filter(([name]) => !name.startsWith('TWILIO_')))
  expect(problems(trunk)).toHaveLength(6)
  expect(problems({ ...trunk, TELEPHONY: 'twilio' })).toEqual(problems(trunk))
  expect(problems({ ...trunk, TELEPHONY: 'trunk', TRUNK_FILE: '/etc/farline/trunk.json' })).toEqual([])
  expect(problems({ ...trunk, TELEPHONY: 'trunk' })).toEqual([
    expect.stringMatching(/^TRUNK_FILE: required with TELEPHONY=trunk/),
  ])
})

test('production does not call over the exchange', () => {
  expect(problems({ ...sound, TELEPHONY: 'twilio' })).toEqual([])
  expect(problems({ ...sound, TELEPHONY: 'exchange' })).toEqual([
    'TELEPHONY: the exchange reaches no telephones. Use twilio or trunk in production',
  ])
})

test('a risk that does not exist cannot be accepted, and one wrong variable hides no other', () => {
  expect(problems({ ...sound, ACCEPTED_RISKS: 'everything' })).toEqual([
    expect.stringMatching(/^ACCEPTED_RISKS: must be one or more of http-public-url, /),
  ])
  const many = { ...sound, PORT: 'http', TOKEN_SECRET: 'short', PUBLIC_URL: 'http://farline.example' }
  expect(problems({ ...many, ACCEPTED_RISKS: 'http-public-url' }).map(line => line.split(':')[0])).toEqual([
    'PORT',
    'TOKEN_SECRET',
  ])
})

test.each([
  ['a'.repeat(64), 'has only 1 different characters'],
  ['abc123'.repeat(8), 'has only 6 different characters'],
  ['q7Rw2ZpK'.repeat(6), 'repeats itself'],
  ['abcdefghijklmnopqrstuvwxyz0123456789', 'is a sequence'],
  ['zyxwvutsrqponmlkjihgfedcba9876543210', 'is a sequence'],
  [placeholderSecret, 'is a placeholder or holds a word of one'],
  ['your-super-secret-jwt-token-of-32-chars', 'is a placeholder or holds a word of one'],
  ['<paste 32 random characters in here>', 'is a placeholder or holds a word of one'],
  ['correct horse battery staple and more', 'is a phrase'],
  ['the_quick_brown_fox_jumps_over_dogs', 'is a phrase'],
])('a secret such as %s is weak: it %s', (secret, weakness) => {
  expect(weaknessOf(secret)).toBe(weakness)
})

test('random secrets are strong, in whatever form they are made', () => {
  // The same ones in every run.
  const bytes = (count: number, turn: number) =>
    createHash('sha256').update(`${turn}`).digest().subarray(0, count)
  for (let turn = 0; turn < 2000; turn += 1) {
    for (const count of [16, 24, 32]) {
      for (const form of ['hex', 'base64', 'base64url'] as const) {
        const secret = bytes(count, turn).toString(form)
        if (secret.length >= 32) expect([secret, weaknessOf(secret)]).toEqual([secret, undefined])
      }
    }
  }
  expect(weaknessOf('3f0a7c52-9b1e-4d68-a4f7-c20e5d8b1796')).toBeUndefined()
})

test('the doctor says the same, and warns of what was accepted', async () => {
  const unsafe = { ...sound, PUBLIC_URL: 'http://127.0.0.1:9', TOKEN_SECRET: placeholderSecret }
  const rejection = report(configurationProblems(problems(unsafe)))
  expect(rejection).toMatch(/^problem {2}Configuration: PUBLIC_URL: is not https/m)
  expect(rejection).toMatch(/^problem {2}Configuration: TOKEN_SECRET: is a placeholder/m)
  expect(rejection).not.toContain('change-me')

  const config = readConfig({ ...unsafe, ACCEPTED_RISKS: 'http-public-url,weak-token-secret' })
  const here = {
    databaseUrl: undefined,
    redisUrl: undefined,
    smtp: undefined,
    twilio: undefined,
    stripe: undefined,
  }
  const said = report(await checkConfiguration({ ...config, ...here }))
  expect(said).toMatch(
    /^warning {2}Accepted risks: PUBLIC_URL is not https.*\n {9}Then take http-public-url out of ACCEPTED_RISKS\.$/m,
  )
  expect(said).toMatch(/^warning {2}Accepted risks: TOKEN_SECRET is a placeholder/m)
})

test('a production server with a weak secret exits at once and says which command makes a better one', async () => {
  const server = run({ ...(await environment()), ...sound, TOKEN_SECRET: 'x'.repeat(64) })
  expect(await server.exitCode()).toBe(1)
  expect(server.output()).toMatch(/TOKEN_SECRET: has only 1 different characters.*openssl rand -hex 32/)
})
