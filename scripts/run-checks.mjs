// The checks behind the commands of `npm test` (scripts/test.mjs), and what they found, named at the end.
import { spawn } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBrowser } from './browser.mjs'
import { childEnvironment, root } from './node24.mjs'
import { findPostgresPrograms } from './postgres-programs.mjs'

const scratch = mkdtempSync(join(tmpdir(), 'farline-checks-'))
const found = { passed: 0, failed: [], unsteady: [], slowest: [] }
const startedAt = performance.now()

const suites = {
  /** `npm test`: every feature once. */
  core: async () => {
    await together([
      ['build', ['scripts/build.mjs', '--if-changed']],
      ['lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings']],
      ['import directions', ['node_modules/dependency-cruiser/bin/dependency-cruiser.mjs', 'src', 'server']],
      ['unused code', ['node_modules/knip/bin/knip.js']],
      ['types', ['scripts/types.mjs']],
    ])
    await vitest('unit and server tests', ['unit', 'server', ...onPostgres('postgres')])
    await stories('core end-to-end tests', { STORIES: 'core' })
  },
  stories: async () => {
    await check('build', ['scripts/build.mjs', '--if-changed'])
    await stories('end-to-end tests', { STORIES: 'more' })
  },
  engines: async () => {
    await check('build', ['scripts/build.mjs', '--if-changed'])
    await vitest('tests of whole processes and of the other engine', [
      'processes',
      ...onPostgres('processes-postgres', 'embedded'),
    ])
  },
  full: async () => {
    // Languages that are not published yet are looked at too, and the made-up one.
    process.env.ALL_LANGUAGES = '1'
    await check('build', ['scripts/build.mjs', '--if-changed'])
    const mode = ['--mode', 'full', '--no-file-parallelism']
    // The long call mostly waits, so everything else runs meanwhile.
    const call = vitest('a call of two hours', ['long-call'], mode)
    await vitest('storms and soaks', ['full', ...onPostgres('full-postgres')], mode)
    await stories('long end-to-end tests', { STORIES: 'long' })
    await call
  },
}

const name = process.argv[2] ?? 'core'
await suites[name]()
rmSync(scratch, { recursive: true, force: true })
const report = summary()
console.log(report)
// `.ci/run` runs several suites, and shows what each found once more at its end.
if (process.env.CHECKS_SUMMARY) appendFileSync(process.env.CHECKS_SUMMARY, report)
process.exit(found.failed.length === 0 ? 0 : 1)

function summary() {
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1)
  const slowest = found.slowest.sort((a, b) => b.seconds - a.seconds).slice(0, 10)
  return [
    '',
    ...slowest.map(({ name, seconds }) => `  ${seconds.toFixed(0).padStart(4)} s  ${name}`),
    ...found.unsteady.map(name => `  passed only at the second try: ${name}`),
    ...found.failed.map(({ name, error }) => `  FAILED: ${name}${error === '' ? '' : `: ${error}`}`),
    `${found.passed} passed, ${found.failed.length} failed (${name}, ${minutes} minutes)`,
    '',
  ].join('\n')
}

/** @returns the exit code, and what was printed if `silent` */
function run(args, { silent = false, env = {} } = {}) {
  return new Promise(resolve => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: ['ignore', silent ? 'pipe' : 'inherit', silent ? 'pipe' : 'inherit'],
      env: childEnvironment(env),
    })
    const printed = []
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => printed.push(chunk))
    child.on('close', status => resolve({ status, printed: Buffer.concat(printed).toString() }))
  })
}

function record(name, status) {
  if (status === 0) found.passed += 1
  else found.failed.push({ name, error: '' })
}

async function check(name, args) {
  console.log(`\n> ${name}`)
  record(name, (await run(args)).status)
}

/** At most two at once; each prints when it is done. */
async function together(checks) {
  const waiting = [...checks]
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [name, args] = next
      const { status, printed } = await run(args, { silent: true })
      console.log(`\n> ${name}\n${printed.trim()}`)
      record(name, status)
    }
  }
  await Promise.all([worker(), worker()])
}

/** These projects of `vitest.config.ts` exist where PostgreSQL is installed. */
function onPostgres(...projects) {
  if (findPostgresPrograms() !== undefined) return projects
  console.log(
    'SKIPPED: database tests on PostgreSQL: its programs (initdb, postgres) are not installed. ' +
      'Install them, for example `apt-get install postgresql` as root, and run this again.',
  )
  return []
}

async function vitest(name, projects, options = []) {
  console.log(`\n> ${name}`)
  const file = join(scratch, `${name}.json`)
  const reporters = ['--reporter=default', '--reporter=./scripts/vitest-summary.mjs']
  // A machine that stalls breaks a test of time. Tests that needed the retry are named.
  const { status } = await run(
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--retry=1',
      ...projects.map(project => `--project=${project}`),
      ...options,
      ...reporters,
    ],
    { env: { VITEST_SUMMARY: file } },
  )
  add(name, status, file, report => report)
}

async function stories(name, env) {
  console.log(`\n> ${name}`)
  const browser = findBrowser()
  if (browser === undefined) {
    const error =
      'no browser: install Chromium (for example `apt-get install chromium` as root) and run this again'
    found.failed.push({ name, error })
    return
  }
  const file = join(scratch, 'playwright.json')
  const { status } = await run(['node_modules/playwright/cli.js', 'test'], {
    // Calls run in real time, so a machine that stalls breaks one. Stories that needed the retry are named.
    env: { CHROMIUM_PATH: browser, PLAYWRIGHT_JSON_OUTPUT_NAME: file, STORY_RETRIES: '1', ...env },
  })
  add(name, status, file, readStories)
}

/** The JSON report of Playwright, as `vitest-summary.mjs` writes one of Vitest. */
function readStories({ suites, errors }) {
  const specs = suite => [...suite.specs, ...(suite.suites ?? []).flatMap(specs)]
  const read = { passed: 0, failed: [], unsteady: [], slowest: [] }
  for (const { title, file, tests } of suites.flatMap(specs))
    for (const { status, results } of tests) {
      const story = `${file} > ${title}`
      const error = results.at(-1)?.error?.message?.split('\n')[0] ?? ''
      if (status === 'unexpected') read.failed.push({ name: story, error })
      if (status === 'expected' || status === 'flaky') read.passed += 1
      if (status === 'flaky') read.unsteady.push(story)
      read.slowest.push({
        name: story,
        seconds: results.reduce((sum, { duration }) => sum + duration, 0) / 1000,
      })
    }
  for (const { message } of errors) read.failed.push({ name: 'outside any story', error: message ?? '' })
  return read
}

/** Adds what a runner reports; one that failed without a failed test counts as one failure. */
function add(name, status, file, read) {
  try {
    const report = read(JSON.parse(readFileSync(file, 'utf8')))
    found.passed += report.passed
    for (const list of ['failed', 'unsteady', 'slowest']) found[list].push(...report[list])
    if (status !== 0 && report.failed.length === 0) found.failed.push({ name, error: `exit code ${status}` })
  } catch (error) {
    found.failed.push({ name, error: String(error) })
  }
}
