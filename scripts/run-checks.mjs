// Runs lint, types, the build, unit, server and end-to-end tests in turn, and counts them.
// `--full` runs the storms and soaks of tests/full and the long end-to-end stories instead.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBrowser } from './browser.mjs'
import { childEnvironment, root } from './node24.mjs'
import { findPostgresPrograms } from './postgres-programs.mjs'

const scratch = mkdtempSync(join(tmpdir(), 'farline-checks-'))
let passed = 0
let failed = 0
let unsteady = 0

if (process.argv.includes('--full')) {
  check('build', ['scripts/build.mjs', '--if-changed'])
  vitest('storms and soaks', ['--mode', 'full', '--no-file-parallelism'])
  endToEnd({ LONG_STORIES: '1' })
} else {
  check('lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings'])
  check('unused code', ['node_modules/knip/bin/knip.js'])
  check('types', ['scripts/types.mjs'])
  check('build', ['scripts/build.mjs', '--if-changed'])
  vitest('unit and server tests', [])
  endToEnd()
}

rmSync(scratch, { recursive: true, force: true })
const named = unsteady === 0 ? '' : `, ${unsteady} only at the second try: see "flaky" above, and why`
console.log(`\n${passed} passed${named}, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

function run(args, extra = {}) {
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env: childEnvironment(extra) })
    .status
}

function check(name, args) {
  console.log(`\n> ${name}`)
  if (run(args) === 0) passed += 1
  else failed += 1
}

/** Database tests run on the embedded database, and on PostgreSQL too where it is installed. */
function vitest(name, options) {
  console.log(`\n> ${name}`)
  if (findPostgresPrograms() === undefined) {
    console.log(
      'SKIPPED: database tests on PostgreSQL: its programs (initdb, postgres) are not installed. ' +
        'Install them, for example `apt-get install postgresql` as root, and run this again.',
    )
  }
  const report = join(scratch, 'vitest.json')
  const status = run([
    'node_modules/vitest/vitest.mjs',
    'run',
    ...options,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ])
  count(status, report, ({ numPassedTests, numFailedTests }) => [numPassedTests, numFailedTests])
}

function endToEnd(environment = {}) {
  console.log('\n> end-to-end tests')
  const browser = findBrowser()
  if (browser === undefined) {
    console.error(
      'No browser: install Chromium (for example `apt-get install chromium` as root) and run npm test again.',
    )
    failed += 1
    return
  }
  const report = join(scratch, 'playwright.json')
  const status = run(['node_modules/playwright/cli.js', 'test'], {
    CHROMIUM_PATH: browser,
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    // Calls run in real time, so a machine that stalls breaks one. Stories that needed the retry are listed.
    STORY_RETRIES: '1',
    ...environment,
  })
  count(status, report, ({ stats }) => {
    unsteady += stats.flaky
    return [stats.expected + stats.flaky, stats.unexpected]
  })
}

/** Adds a runner's counts; a runner that failed without a failed test counts as one failure. */
function count(status, report, read) {
  try {
    const [good, bad] = read(JSON.parse(readFileSync(report, 'utf8')))
    passed += good
    failed += status !== 0 && bad === 0 ? 1 : bad
  } catch {
    failed += 1
  }
}
