import { matchesGlob } from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { findPostgresPrograms } from './scripts/postgres-programs.mjs'
import { findDatabaseTests } from './tests/support/database-tests.ts'

const onPostgres = 'tests/**/*.postgres.test.ts'
/**
 * Where PostgreSQL is installed these have the embedded engine's turn in `npm run test:full` alone: a database that fails at every
 * statement in turn, which takes a minute there, and use cases whose statements the embedded engine runs in every story. What
 * moves a call's money, and what is the database's own, runs on both each time.
 */
const laterOnEmbedded =
  /^tests\/server\/(?:accounts|google|http|payments|tariff|twilio)\/|^tests\/server\/calls\/failpoints\./
/**
 * They start the web application for what stands before any database: pages, headers, names of routes, nginx. On one engine is
 * enough. A test there that asks something of the database is to be called `*.postgres.test.ts` too, or stands elsewhere.
 */
const beforeAnyDatabase = [
  'tests/server/deploy/**',
  'tests/server/security/**',
  'tests/server/first-flight.test.ts',
  'tests/server/public-rates.test.ts',
  'tests/server/openapi/routes.test.ts',
  'tests/server/http/site.test.ts',
  'tests/server/http/untrusted-proxy.test.ts',
]
/**
 * They start whole processes, build the site, or wait in real time, each for a quarter of a minute or more: `npm run test:engines`
 * runs them, `npm test` does not.
 */
const wholeProcesses = [
  'tests/server/deploy/**/*.test.ts',
  'tests/server/db/embedded.test.ts',
  'tests/server/exchange/{endurance,hostile,verification}.test.ts',
  'tests/server/http/slow-clients.test.ts',
  'tests/server/identity/common-passwords.test.ts',
  'tests/server/{backup,backup-rows,blog-build,ledger-check,mail-smtp,mail-smtp-start,main,shutdown}.test.ts',
]
const hasPostgres = findPostgresPrograms() !== undefined

function findLater(): string[] {
  return findDatabaseTests('tests/server').filter(
    file =>
      laterOnEmbedded.test(file) &&
      !file.endsWith('.postgres.test.ts') &&
      !beforeAnyDatabase.some(pattern => matchesGlob(file, pattern)),
  )
}

/** The tests of a folder, on the embedded database and, as far as they use one, on PostgreSQL once more. */
function onBothEngines(name: string, folder: string, timeoutMs: number): TestProjectInlineConfiguration[] {
  const common = { environment: 'node', testTimeout: timeoutMs, hookTimeout: timeoutMs } as const
  const later = hasPostgres ? findLater() : []
  const globalSetup = 'tests/support/embedded-project.ts'
  const include = [`${folder}/**/*.test.ts`]
  const embedded =
    name === 'server'
      ? [
          { ...common, name, globalSetup, include, exclude: [onPostgres, ...wholeProcesses, ...later] },
          {
            ...common,
            name: 'processes',
            globalSetup,
            include: wholeProcesses,
            exclude: [onPostgres, ...later],
          },
        ]
      : [{ ...common, name, globalSetup, include: [...include, ...later], exclude: [onPostgres] }]
  const postgres = {
    ...common,
    name: name === 'server' ? 'postgres' : `${name}-postgres`,
    include: findDatabaseTests(folder),
    exclude: beforeAnyDatabase,
    globalSetup: 'tests/support/postgres-project.ts',
  }
  return [...embedded.map(test => ({ test })), ...(hasPostgres ? [{ test: postgres }] : [])]
}

/** `--mode full` is `npm run test:full`: storms and soaks, which `npm test` leaves out. */
export default defineConfig(({ mode }) => ({
  test: {
    // Most of a server's test is waiting: one process, the default on two cores, would leave them idle.
    maxWorkers: 3,
    projects:
      mode === 'full'
        ? onBothEngines('full', 'tests/full', 30 * 60_000)
        : [
            {
              test: {
                name: 'unit',
                include: ['src/**/*.test.{ts,tsx}', 'server/**/*.test.ts'],
                environment: 'node',
              },
            },
            ...onBothEngines('server', 'tests/server', 60_000),
          ],
  },
}))
