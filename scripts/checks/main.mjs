// The suites behind `npm run check` and the commands of `npm test`, and what they found, named at the end.
import { appendFileSync } from 'node:fs'
import { findPostgresPrograms } from '../postgres-programs.mjs'
import { check } from './programs.mjs'
import { summary, wentWell } from './report.mjs'
import { staticChecks } from './static.mjs'
import { stories } from './stories.mjs'
import { checkTargets } from './targets.mjs'
import { vitest } from './vitest.mjs'

const build = () => check('build', ['scripts/build.mjs', '--if-changed'])

const suites = {
  /** `npm run check`: all that reads the sources and runs nothing. */
  check: staticChecks,
  /** `npm test`: every feature once. */
  core: async () => {
    // `.ci/run` has run them as its first step.
    if (process.env.STATIC_CHECKS !== 'done') await staticChecks()
    // Unit tests read the sources alone, and the build leaves one of two cores idle.
    await Promise.all([build(), vitest('unit tests', ['unit'])])
    await vitest('server tests', ['server', ...onPostgres('postgres')])
    await stories('core end-to-end tests', { STORIES: 'core' })
  },
  stories: async () => {
    await build()
    await stories('end-to-end tests', { STORIES: 'more' })
  },
  engines: async () => {
    await build()
    const projects = ['processes', ...onPostgres('processes-postgres', 'embedded')]
    // These spend more of their time waiting, for the programs that they start: a fourth finds a core free.
    await vitest('tests of whole processes and of the other engine', projects, ['--maxWorkers=4'])
  },
  full: async () => {
    // Languages that are not published yet are looked at too, and the made-up one.
    process.env.ALL_LANGUAGES = '1'
    await build()
    const mode = ['--mode', 'full', '--no-file-parallelism']
    // The long call mostly waits, so everything else runs meanwhile.
    const call = vitest('a call of two hours', ['long-call'], mode)
    await vitest('storms and soaks', ['full', ...onPostgres('full-postgres')], mode)
    await stories('long end-to-end tests', { STORIES: 'long' })
    await call
  },
}

const [name = 'core', ...others] = process.argv.slice(2)
if (name in suites) await suites[name]()
else await checkTargets([name, ...others])
const report = summary(name in suites ? name : [name, ...others].join(' '))
console.log(report)
// `.ci/run` runs several suites, and shows what each found once more at its end.
if (process.env.CHECKS_SUMMARY) appendFileSync(process.env.CHECKS_SUMMARY, report)
process.exit(wentWell() ? 0 : 1)

/** These projects of `vitest.config.ts` exist where PostgreSQL is installed. */
function onPostgres(...projects) {
  if (findPostgresPrograms() !== undefined) return projects
  console.log(
    'SKIPPED: database tests on PostgreSQL: its programs (initdb, postgres) are not installed. ' +
      'Install them, for example `apt-get install postgresql` as root, and run this again.',
  )
  return []
}
