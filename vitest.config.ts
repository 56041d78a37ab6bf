import { matchesGlob } from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { findPostgresPrograms } from './scripts/postgres-programs.mjs'
import { findDatabaseTests } from './tests/support/database-tests.ts'

/**
 * Where PostgreSQL is installed, tests that use a database run on it in `npm test`, where it answers twice as fast, and on the
 * embedded engine in `npm run test:engines`. These have the embedded engine's turn in `npm run test:full` alone: use cases whose
 * statements that engine runs in every story. What moves a call's money, and what is the database's own, runs on both.
 */
const laterOnEmbedded = [
  'tests/server/{accounts,google,http,payments,tariff,twilio}/**',
  'tests/server/calls/failpoints.test.ts',
]
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
 * They start whole processes, build the site, break the database at every statement, or wait in real time, each for a quarter of
 * a minute or more: `npm run test:engines` runs them, `npm test` does not.
 */
const slow = [
  'tests/server/accounts/links-at-once.test.ts',
  'tests/server/calls/failpoints.test.ts',
  'tests/server/deploy/**/*.test.ts',
  'tests/server/db/embedded.test.ts',
  'tests/server/trunk/**/*.test.ts',
  'tests/server/exchange/{endurance,hostile,verification}.test.ts',
  'tests/server/http/slow-clients.test.ts',
  'tests/server/identity/common-passwords.test.ts',
  'tests/server/{backup,backup-rows,blog-build,ledger-check,mail-smtp*,main,shutdown,site-html}.test.ts',
  'tests/server/**/*.postgres.test.ts',
]
const hasPostgres = findPostgresPrograms() !== undefined

const isIn = (patterns: readonly string[]) => (file: string) =>
  patterns.some(pattern => matchesGlob(file, pattern))
const isNotIn = (patterns: readonly string[]) => (file: string) => !isIn(patterns)(file)

const databaseTests = findDatabaseTests('tests/server').filter(isNotIn(beforeAnyDatabase))
const embeddedTests = databaseTests.filter(isNotIn(['**/*.postgres.test.ts']))
const later = embeddedTests.filter(isIn(laterOnEmbedded))

function project(
  name: string,
  engine: 'embedded' | 'postgres',
  {
    include,
    exclude = [],
    timeoutMs = 60_000,
  }: { include: string[]; exclude?: string[]; timeoutMs?: number },
): TestProjectInlineConfiguration {
  const globalSetup = `tests/support/${engine}-project.ts`
  const timeouts = { testTimeout: timeoutMs, hookTimeout: timeoutMs }
  // The server keeps nothing in its modules, so the files of a worker share them: half of the time went into loading.
  return { test: { name, environment: 'node', isolate: false, globalSetup, include, exclude, ...timeouts } }
}

/** The last two suites are those of `npm run test:engines`. */
function serverProjects(): TestProjectInlineConfiguration[] {
  const include = ['tests/server/**/*.test.ts']
  if (!hasPostgres) {
    const exclude = ['**/*.postgres.test.ts']
    return [
      project('server', 'embedded', { include, exclude: [...exclude, ...slow] }),
      project('processes', 'embedded', { include: slow, exclude }),
    ]
  }
  return [
    project('server', 'embedded', { include, exclude: [...slow, ...databaseTests] }),
    project('postgres', 'postgres', { include: databaseTests.filter(isNotIn(slow)) }),
    project('processes', 'embedded', { include: slow, exclude: ['**/*.postgres.test.ts', ...later] }),
    project('processes-postgres', 'postgres', { include: databaseTests.filter(isIn(slow)) }),
    project('embedded', 'embedded', {
      include: embeddedTests.filter(isNotIn([...slow, ...laterOnEmbedded])),
    }),
  ]
}

/** Storms and soaks, on both engines. The call of two hours has a project of its own, to run beside the others. */
function fullProjects(): TestProjectInlineConfiguration[] {
  const timeoutMs = 30 * 60_000
  const longCall = 'tests/full/two-hour-call.test.ts'
  const include = ['tests/full/**/*.test.ts', ...(hasPostgres ? later : [])]
  const exclude = ['**/*.postgres.test.ts', longCall]
  const onEmbedded = [
    project('full', 'embedded', { include, exclude, timeoutMs }),
    project('long-call', 'embedded', { include: [longCall], timeoutMs }),
  ]
  if (!hasPostgres) return onEmbedded
  return [
    ...onEmbedded,
    project('full-postgres', 'postgres', { include: findDatabaseTests('tests/full'), timeoutMs }),
  ]
}

/** `--mode full` is `npm run test:full`: storms and soaks, which `npm test` leaves out. */
export default defineConfig(({ mode }) => ({
  test: {
    // Most of a server's test is waiting: one process, the default on two cores, would leave them idle.
    maxWorkers: 3,
    projects:
      mode === 'full'
        ? fullProjects()
        : [
            {
              test: {
                name: 'unit',
                include: ['src/**/*.test.{ts,tsx}', 'server/**/*.test.ts'],
                environment: 'node',
              },
            },
            ...serverProjects(),
          ],
  },
}))
