import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { findPostgresPrograms } from './scripts/postgres-programs.mjs'
import { findDatabaseTests } from './tests/support/database-tests.ts'

const onPostgres = 'tests/**/*.postgres.test.ts'
/**
 * A database that fails at every statement in turn: a minute on the embedded engine, a third of it on PostgreSQL. Where that is
 * installed the embedded one's turn is `npm run test:full`.
 */
const everyStatement = ['tests/server/calls/failpoints.test.ts', 'tests/server/payments/events.test.ts']
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
const hasPostgres = findPostgresPrograms() !== undefined

/** The tests of a folder, on the embedded database and, as far as they use one, on PostgreSQL once more. */
function onBothEngines(name: string, folder: string, timeoutMs: number): TestProjectInlineConfiguration[] {
  const common = { environment: 'node', testTimeout: timeoutMs, hookTimeout: timeoutMs } as const
  const later = hasPostgres ? everyStatement : []
  const globalSetup = 'tests/support/embedded-project.ts'
  const embedded =
    name === 'server'
      ? { ...common, name, globalSetup, include: [`${folder}/**/*.test.ts`], exclude: [onPostgres, ...later] }
      : { ...common, name, include: [`${folder}/**/*.test.ts`, ...later], exclude: [onPostgres] }
  const postgres = {
    ...common,
    name: name === 'server' ? 'postgres' : `${name}-postgres`,
    include: findDatabaseTests(folder),
    exclude: beforeAnyDatabase,
    globalSetup: 'tests/support/postgres-project.ts',
  }
  return [{ test: embedded }, ...(hasPostgres ? [{ test: postgres }] : [])]
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
            { test: { name: 'unit', include: ['tests/unit/**/*.test.{ts,tsx}'], environment: 'node' } },
            ...onBothEngines('server', 'tests/server', 60_000),
          ],
  },
}))
