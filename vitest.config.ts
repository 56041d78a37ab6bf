import { globSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { findPostgresPrograms } from './scripts/postgres-programs.mjs'
import { findDatabaseTests } from './tests/support/database-tests.ts'
import { hasModuleTag } from './tests/support/tagged-tests.ts'

/** A file has a tag by a line of its own: `// @module-tag slow`. */
const tags = [
  {
    name: 'slow',
    description:
      'Starts whole processes, builds the site, breaks the database at every statement, or waits in real time, each for a ' +
      'quarter of a minute or more. `npm run test:engines` runs it, `npm test` does not.',
  },
  {
    name: 'one-engine',
    description:
      'Starts the web application for what stands before any database: pages, headers, names of routes. It asks nothing of ' +
      'the database, so one engine is enough.',
  },
]

/** Tests that start programs of Debian's, or images of the deployment, are slow wherever they stand. */
const slowFolders = ['tests/deploy/**', 'tests/server/telephony/trunk/**', '**/*.postgres.test.ts']
/**
 * Where PostgreSQL is installed, tests that use a database run on it in `npm test`, where it answers twice as fast, and on the
 * embedded engine in `npm run test:engines`. These have the embedded engine's turn in `npm run test:full` alone: use cases whose
 * statements that engine runs in every story. What moves a call's money, and what is the database's own, runs on both.
 */
const laterOnEmbedded = [
  'tests/server/{accounts,identity/google,payments,tariff,telephony/twilio}/*',
  'tests/server/http/**',
  'tests/server/calls/failpoints.test.ts',
]
const hasPostgres = findPostgresPrograms() !== undefined

const isIn = (patterns: readonly string[]) => (file: string) =>
  patterns.some(pattern => matchesGlob(file, pattern))
const isNot = (is: (file: string) => boolean) => (file: string) => !is(file)
const isPostgresOnly = isIn(['**/*.postgres.test.ts'])
const isSlow = (file: string) => isIn(slowFolders)(file) || hasModuleTag(file, 'slow')

const folders = ['tests/server', 'tests/site', 'tests/house', 'tests/deploy']
const allTests = folders.flatMap(folder => globSync(`${folder}/**/*.test.ts`))
const slow = allTests.filter(isSlow)
const databaseTests = folders
  .flatMap(findDatabaseTests)
  .filter(
    file => !(isIn(['tests/deploy/**'])(file) && !isPostgresOnly(file)) && !hasModuleTag(file, 'one-engine'),
  )
const embeddedTests = databaseTests.filter(isNot(isPostgresOnly))
const later = embeddedTests.filter(isIn(laterOnEmbedded))

function project(
  name: string,
  engine: 'embedded' | 'postgres',
  { include, timeoutMs = 60_000 }: { include: string[]; timeoutMs?: number },
): TestProjectInlineConfiguration {
  const globalSetup = `tests/support/${engine}-project.ts`
  const timeouts = { testTimeout: timeoutMs, hookTimeout: timeoutMs }
  // The server keeps nothing in its modules, so the files of a worker share them: half of the time went into loading.
  return { test: { name, environment: 'node', isolate: false, globalSetup, include, ...timeouts } }
}

/** `server` and `postgres` are those of `npm test`, the others those of `npm run test:engines`. */
function serverProjects(): TestProjectInlineConfiguration[] {
  if (!hasPostgres) {
    const tests = allTests.filter(isNot(isPostgresOnly))
    return [
      project('server', 'embedded', { include: tests.filter(isNot(isSlow)) }),
      project('processes', 'embedded', { include: tests.filter(isSlow) }),
    ]
  }
  const onEmbedded = allTests.filter(file => !databaseTests.includes(file))
  return [
    project('server', 'embedded', { include: onEmbedded.filter(isNot(isSlow)) }),
    project('postgres', 'postgres', { include: databaseTests.filter(isNot(isSlow)) }),
    project('processes', 'embedded', {
      include: slow.filter(file => !isPostgresOnly(file) && !later.includes(file)),
    }),
    project('processes-postgres', 'postgres', { include: databaseTests.filter(isSlow) }),
    project('embedded', 'embedded', {
      include: embeddedTests.filter(file => !isSlow(file) && !later.includes(file)),
    }),
  ]
}

/** Storms and soaks, on both engines. The call of two hours has a project of its own, to run beside the others. */
function fullProjects(): TestProjectInlineConfiguration[] {
  const timeoutMs = 30 * 60_000
  const longCall = 'tests/full/two-hour-call.test.ts'
  const storms = globSync('tests/full/**/*.test.ts').filter(
    file => !isPostgresOnly(file) && file !== longCall,
  )
  const onEmbedded = [
    project('full', 'embedded', { include: [...storms, ...(hasPostgres ? later : [])], timeoutMs }),
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
    tags,
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
