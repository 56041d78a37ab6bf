import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ConfigError, readConfig, variableNames } from '#server/config.ts'

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
    dataDirectory: 'var',
    policy: { freeCall: { worthMicroUsd: 500_000, longestMinutes: 5 }, concurrentCalls: 1 },
  })
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
  [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL'],
])('a bad value is a start-up error that names it: %j', (environment, name) => {
  expect(problems(environment)).toEqual([expect.stringMatching(`^${name}: `)])
})

test('production names every key it lacks at once, and falls back to no stand-in', () => {
  const named = problems({ NODE_ENV: 'production' }).map(problem => problem.split(':')[0])
  expect(named).toEqual(['PUBLIC_URL', 'TOKEN_SECRET', 'DATABASE_URL', 'TWILIO_ACCOUNT_SID', 'SMTP_URL'])
})

test('the configuration page has a row for every variable', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/configuration.md'), 'utf8')
  expect(variableNames.filter(name => !page.includes(`| \`${name}\` |`))).toEqual([])
})
