import { afterEach, expect, test } from 'vitest'
import { hostKind } from '#server/config/host-kind.ts'
import { ConfigError, readConfig } from '#server/config.ts'
import { endRuns, environment, run } from '#support/server-run.ts'

afterEach(endRuns)

/** The variables that keep a server outside production from starting. */
function refused(given: Record<string, string>): string[] {
  try {
    readConfig(given)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.map(problem => problem.split(':')[0] ?? '')
  }
}

const stripe = (key: string) => ({ STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: 'whsec_0123' })
const twilio = {
  TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: 'token',
  TWILIO_API_KEY: `SK${'0'.repeat(32)}`,
  TWILIO_API_SECRET: 'secret',
  TWILIO_APP_SID: `AP${'0'.repeat(32)}`,
  TWILIO_NUMBER: '+14155550100',
}

test.each([
  ['a live payment key', stripe('sk_live_51Abc'), 'STRIPE_SECRET_KEY'],
  ['a restricted live payment key', stripe('rk_live_51Abc'), 'STRIPE_SECRET_KEY'],
  ['a Twilio account', twilio, 'TWILIO_ACCOUNT_SID'],
  ['a Twilio account by name', { ...twilio, TELEPHONY: 'twilio' }, 'TWILIO_ACCOUNT_SID'],
  ['a mail server elsewhere', { SMTP_URL: 'smtps://user:secret@mail.example:465' }, 'SMTP_URL'],
  ['a mail server of its network', { SMTP_URL: 'smtp://192.168.1.2:25' }, 'SMTP_URL'],
  ['a public name', { PUBLIC_URL: 'https://farline.example' }, 'PUBLIC_URL'],
  ['a public address', { PUBLIC_URL: 'http://203.0.113.7:4321' }, 'PUBLIC_URL'],
  ['a public IPv6 address', { PUBLIC_URL: 'http://[2001:db8::7]' }, 'PUBLIC_URL'],
  ['every address of the machine', { HOST: '0.0.0.0' }, 'HOST'],
  ['every IPv6 address of the machine', { HOST: '::' }, 'HOST'],
  ['an address of its network', { HOST: '192.168.1.20' }, 'HOST'],
])('outside production a server with %s refuses to start', (_what, given, name) => {
  expect(refused(given)).toEqual([name])
  expect(refused({ NODE_ENV: 'test', ...given })).toEqual([name])
})

test.each([
  stripe('sk_test_51Abc'),
  { ...twilio, TWILIO_API_URL: 'http://127.0.0.1:4390' },
  { ...twilio, TELEPHONY: 'exchange' },
  { ...twilio, TELEPHONY: 'trunk', TRUNK_FILE: 'trunk.json' },
  { SMTP_URL: 'smtp://localhost:1025' },
  { PUBLIC_URL: 'http://localhost:4321' },
  { PUBLIC_URL: 'http://studio.local:4321' },
  { PUBLIC_URL: 'http://192.168.1.20:4321' },
  { HOST: 'localhost' },
  { HOST: '::1' },
])('outside production a server with stand-ins and local addresses starts: %j', given => {
  expect(refused(given)).toEqual([])
})

test('only a variable that says what it does opens the stand-ins to the network', () => {
  const open = { HOST: '0.0.0.0', DANGEROUSLY_EXPOSE_STAND_INS: 'yes' }
  expect(readConfig(open)).toMatchObject({ host: '0.0.0.0', exposeStandIns: true })
  expect(readConfig({})).toMatchObject({ exposeStandIns: false })
  expect(refused({ ...open, DANGEROUSLY_EXPOSE_STAND_INS: '1' })).toContain('DANGEROUSLY_EXPOSE_STAND_INS')
  // It opens what is pretended, and nothing that is real.
  for (const real of [stripe('sk_live_51Abc'), twilio, { SMTP_URL: 'smtp://mail.example' }])
    expect(refused({ ...open, ...real })).toHaveLength(1)
})

test('a started server says which variable to change, and shows no secret', async () => {
  const server = run({ ...(await environment()), ...stripe('sk_live_hunter2'), HOST: '0.0.0.0' })
  expect(await server.exitCode()).toBe(1)
  expect(server.output()).toMatch(
    /^The configuration cannot be used:\n {2}- STRIPE_SECRET_KEY: a live key moves real money/,
  )
  expect(server.output()).toMatch(
    /- HOST: 0\.0\.0\.0 admits other machines, .* DANGEROUSLY_EXPOSE_STAND_INS=yes/,
  )
  expect(server.output()).not.toContain('hunter2')
})

test('distinguishes hosts by who can reach them', () => {
  const kinds = (hosts: readonly string[]) => new Set(hosts.map(hostKind))
  expect(kinds(['localhost', 'LOCALHOST.', 'farline.localhost', '127.0.0.1', '127.9.9.9', '[::1]'])).toEqual(
    new Set(['this machine']),
  )
  expect(
    kinds([
      '10.1.2.3',
      '172.31.0.1',
      '192.168.0.1',
      '169.254.1.1',
      '100.64.0.1',
      '[fd00::1]',
      '[fe80::1]',
      'nas',
    ]),
  ).toEqual(new Set(['private network']))
  expect(kinds(['studio.local', 'db.internal', 'farline.test', 'pi.home.arpa'])).toEqual(
    new Set(['private network']),
  )
  expect(
    kinds([
      '172.32.0.1',
      '100.128.0.1',
      '8.8.8.8',
      '0.0.0.0',
      '[2001:db8::1]',
      'local.example',
      'localhost.example',
    ]),
  ).toEqual(new Set(['public']))
})
