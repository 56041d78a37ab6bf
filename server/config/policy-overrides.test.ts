import { expect, test } from 'vitest'
import { ConfigError, readConfig } from '../config.ts'
import { defaultCallPolicy, defaultPaymentPolicy } from './policy.ts'

const read = (overrides: string, given: Record<string, string> = {}) =>
  readConfig({ ...given, POLICY_OVERRIDES: overrides })

function problems(overrides: string, given: Record<string, string> = {}): readonly string[] {
  try {
    read(overrides, given)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.filter(problem => problem.startsWith('POLICY_OVERRIDES'))
  }
}

test('a policy has the values that are given, and the defaults otherwise', () => {
  const overrides = {
    accessTokenSeconds: 10,
    voiceTokenSeconds: 15,
    credit: { maxAutomatic: 0 },
    checkoutsPerHour: 1000,
    accountsPerCard: 100_000,
    referral: { rewardMicroUsd: 7_000_000 },
  }
  const { credit } = defaultCallPolicy
  const { referral } = defaultPaymentPolicy
  expect(read(JSON.stringify(overrides))).toMatchObject({
    accessTokenSeconds: 10,
    voiceTokenSeconds: 15,
    policy: { ...defaultCallPolicy, credit: { ...credit, maxAutomatic: 0 } },
    paymentPolicy: {
      ...defaultPaymentPolicy,
      checkoutsPerHour: 1000,
      accountsPerCard: 100_000,
      referral: { ...referral, rewardMicroUsd: 7_000_000 },
    },
  })
  for (const none of ['{}', '{"credit":{},"referral":{}}', '']) {
    expect(read(none)).toMatchObject({
      accessTokenSeconds: 900,
      voiceTokenSeconds: 600,
      policy: defaultCallPolicy,
      paymentPolicy: defaultPaymentPolicy,
    })
  }
})

const fields = 'accessTokenSeconds, voiceTokenSeconds, credit, checkoutsPerHour, accountsPerCard, referral'
test.each([
  ['accessTokenSeconds=10', 'must be JSON such as {"accessTokenSeconds":60}'],
  ['10', `must be an object with any of the fields ${fields}`],
  ['[]', `must be an object with any of the fields ${fields}`],
  ['null', `must be an object with any of the fields ${fields}`],
  ['{"accessTokenMs":10000,"__proto__":{}}', `has no field accessTokenMs, __proto__, only ${fields}`],
  ['{"credit":3}', 'credit must be an object with any of the fields maxAutomatic'],
  ['{"credit":{"maximum":3}}', 'credit has no field maximum, only maxAutomatic'],
  ['{"credit":{"maxAutomatic":null}}', 'credit.maxAutomatic must be a whole number from 0 to 100'],
  ['{"accessTokenSeconds":"10"}', 'accessTokenSeconds must be a whole number from 10 to 3600'],
  ['{"accessTokenSeconds":9}', 'accessTokenSeconds must be a whole number from 10 to 3600'],
  ['{"accessTokenSeconds":10.5}', 'accessTokenSeconds must be a whole number from 10 to 3600'],
  ['{"voiceTokenSeconds":14}', 'voiceTokenSeconds must be a whole number from 15 to 3600'],
])('what cannot be used is a start-up error that says what to write: %s', (overrides, says) => {
  expect(problems(overrides)).toEqual([`POLICY_OVERRIDES: ${says}`])
})

test('production rejects it, even without a field', () => {
  expect(problems('{}', { NODE_ENV: 'production' })).toEqual([
    expect.stringMatching(/Leave it out in production$/),
  ])
})
