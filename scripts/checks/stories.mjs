import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { findBrowser } from '../browser.mjs'
import { root } from '../node24.mjs'
import { run } from './programs.mjs'
import { report } from './report.mjs'
import { reportRun } from './vitest.mjs'

/**
 * Stories that are known to need their second try at times. At most five, and each leaves the list within two changes.
 * @typedef {{ story: string, since: string, suspicion: string }} Unsteady `story` as it is named in a report, `since` a date
 */
const unsteadyList = join(root, 'tests', 'e2e', 'unsteady.json')

/** @returns {readonly Unsteady[]} */
export function knownUnsteady() {
  return JSON.parse(readFileSync(unsteadyList, 'utf8'))
}

/**
 * Runs end-to-end tests. Calls run in real time, so a machine that stalls breaks one: a story has a second try, and is named if it
 * needed it.
 * @param {string} name
 * @param {Record<string, string>} env of `playwright.config.ts`
 * @param {readonly string[]} [files] all of the suite if there are none
 */
export async function stories(name, env, files = []) {
  console.log(`\n> ${name}`)
  const browser = findBrowser()
  if (browser === undefined) {
    const error =
      'no browser: install Chromium (for example `apt-get install chromium` as root) and run this again'
    report({ failed: [{ name, error }] })
    return
  }
  const scratch = mkdtempSync(join(tmpdir(), 'farline-checks-'))
  const file = join(scratch, 'playwright.json')
  const { status } = await run(['node_modules/playwright/cli.js', 'test', ...files], {
    env: { CHROMIUM_PATH: browser, PLAYWRIGHT_JSON_OUTPUT_NAME: file, STORY_RETRIES: '1', ...env },
  })
  reportRun(name, status, () => readStories(JSON.parse(readFileSync(file, 'utf8'))))
  rmSync(scratch, { recursive: true, force: true })
}

/** The JSON report of Playwright, as `vitest-summary.mjs` writes one of Vitest. */
function readStories({ suites, errors }) {
  const specs = suite => [...suite.specs, ...(suite.suites ?? []).flatMap(specs)]
  /** @type {import('./report.mjs').Found} */
  const read = { passed: 0, failed: [], unsteady: [], slowest: [] }
  for (const { title, file, tests } of suites.flatMap(specs))
    for (const { status, results } of tests) {
      const story = `${file} > ${title}`
      if (status === 'unexpected') read.failed.push({ name: story, error: beginningOf(results.at(-1), 1) })
      if (status === 'expected' || status === 'flaky') read.passed += 1
      if (status === 'flaky') {
        const known = knownUnsteady().find(one => one.story === story)
        const why =
          known === undefined ? 'not known before' : `known since ${known.since}: ${known.suspicion}`
        read.unsteady.push({ name: `${story} (${why})`, error: beginningOf(results[0], 12) })
      }
      read.slowest.push({
        name: story,
        seconds: results.reduce((sum, { duration }) => sum + duration, 0) / 1000,
      })
    }
  for (const { message } of errors) read.failed.push({ name: 'outside any story', error: message ?? '' })
  return read
}

/** The first lines of what made a try fail. */
function beginningOf(result, lines) {
  const text = stripVTControlCharacters(result?.error?.message ?? 'no message')
  return text.split('\n').slice(0, lines).join('\n')
}
