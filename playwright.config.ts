import { defineConfig } from 'playwright/test'

/** Closed networks and calls: nothing is fetched from outside, a synthetic microphone answers at once. */
const browserFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  '--autoplay-policy=no-user-gesture-required',
]

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  timeout: 60_000,
  expect: { timeout: 10_000 },
  // Calls are real time: two at once on two cores would measure the machine.
  workers: 1,
  forbidOnly: true,
  retries: 0,
  reporter: [['list'], ['json']],
  use: {
    channel: undefined,
    headless: true,
    trace: 'retain-on-failure',
    launchOptions: { executablePath, args: browserFlags },
  },
})
