import { defineConfig } from 'playwright/test'
import { browserFlags } from '#support/browser-flags.ts'
import { serverLogs } from '#support/server-logs.ts'
import { realTimeStories } from '#support/tagged-tests.ts'

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
const realTime = realTimeStories().map(name => `**/${name}`)
/**
 * They start browsers of their own, one of them slow, one with other flags. They come first, so that nothing waits for them at
 * the end.
 */
const ownBrowsers = ['**/firefox.test.ts', '**/webkit.test.ts', '**/security.test.ts']
/**
 * `core` are those of `npm test`, `more` the others of `npm run test:stories`. `npm run test:full` asks for the `long` ones,
 * and looks for barriers in more views.
 */
const suites = {
  core: { grep: /@core/, grepInvert: /@full/ },
  more: { grepInvert: /@core|@full/ },
  long: { grep: /@full|accessibility\.test/ },
  all: { grepInvert: /@full/ },
}
const suite = process.env.STORIES ?? 'all'
if (!(suite in suites))
  throw new Error(`STORIES is ${suite}: it must be one of ${Object.keys(suites).join(', ')}`)
const long = suite === 'long'
const retries = Number(process.env.STORY_RETRIES ?? 0)

// For the servers that the stories start.
process.env['FARLINE_SERVER_LOGS'] = serverLogs

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  globalSetup: './tests/support/keep-server-logs.ts',
  ...suites[suite as keyof typeof suites],
  timeout: 90_000,
  // Three workers on two cores: what a page does at once may take seconds. What must be quick is measured by the benches.
  expect: { timeout: 20_000 },
  // Calls are real time: two at once on two cores would measure the machine. One beside the pages does not.
  workers: 3,
  projects: [
    { name: 'engines', testMatch: ownBrowsers, workers: 1 },
    { name: 'calls', testMatch: realTime, workers: 1 },
    { name: 'pages', testIgnore: [...ownBrowsers, ...realTime] },
  ],
  forbidOnly: true,
  retries,
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [['list'], ['json']] : [['list']],
  use: {
    headless: true,
    // What moves is drawn by the processor here, a fifth of all that a story costs; the long ones see it move.
    contextOptions: { reducedMotion: long ? 'no-preference' : 'reduce' },
    actionTimeout: 20_000,
    // It answers where a page cannot be reached, which other stories bring about on purpose: `app.test.ts` is its own.
    serviceWorkers: 'block',
    // A trace slows each step down, so a suite records only what has already failed once.
    trace: retries > 0 ? 'on-first-retry' : 'retain-on-failure',
    launchOptions: { executablePath, args: browserFlags },
  },
})
