// @covers src/ui
import { writeFileSync } from 'node:fs'
import type { Browser } from 'playwright/test'
import { browserFlags } from '#support/browser-flags.ts'
import { test as base, expect } from '#support/e2e.ts'
import { type Orca, startOrca, whyNoOrca } from '#support/orca.ts'
import { callBankUnseen, type ScreenReader } from '#support/unseen-call.ts'

const test = base.extend<object, { orca: Orca; browser: Browser }>({
  orca: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
    async ({}, use) => {
      const orca = await startOrca()
      await use(orca)
      await orca.close()
    },
    { scope: 'worker' },
  ],
  browser: [
    async ({ playwright, orca }, use) => {
      const browser = await playwright.chromium.launch({
        executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
        headless: false,
        env: orca.environment,
        args: [...browserFlags, '--force-renderer-accessibility'],
      })
      await use(browser)
      await browser.close()
    },
    { scope: 'worker' },
  ],
})

const missing = whyNoOrca()
// Workers load this file as well, and need not repeat it.
if (missing !== undefined && process.env['TEST_WORKER_INDEX'] === undefined)
  console.log(`SKIPPED: ${missing}`)
test.skip(missing !== undefined, missing)

const readerOf = (orca: Orca): ScreenReader => ({
  // On a busy machine Orca spoke up to 1.4 s after the page changed.
  lateMs: 3_000,
  spoken: async () => orca.spoken(),
  announced: phrase => phrase,
  // Its speech does not say what it broke off for: the virtual reader's does.
  interrupts: () => false,
  // Backwards the way out leads through the browser's tabs, whose titles change each second in a call.
  rounds: ['Tab'],
  async arrive(page, text) {
    const loadedMs = await page.evaluate(() => performance.timeOrigin)
    const said = () => orca.spoken().filter(({ atMs }) => atMs > loadedMs)
    await expect.poll(() => said().some(({ phrase }) => phrase.startsWith('Finished loading'))).toBe(true)
    if (text !== undefined) {
      const before = orca.heard().length
      await orca.press('KP +')
      await expect.poll(() => orca.heard().slice(before)).toMatch(text)
      await orca.press('Control')
    }
    await expect.poll(() => Date.now() - (orca.spoken().at(-1)?.atMs ?? 0)).toBeGreaterThan(500)
  },
  async comeBack(page, atMs) {
    // It says which of the browser's own buttons has the focus.
    await expect.poll(() => orca.spoken().filter(each => each.atMs >= atMs)).not.toEqual([])
    // F6 goes on to the page. Of one that it knows, Orca says nothing more than the title.
    await orca.press('F6')
    await page.waitForTimeout(700)
  },
})

test(
  'somebody registers, calls a bank, presses its keys, hangs up and hears the receipt, by Orca',
  {
    tag: '@full',
  },
  async ({ page, farline, orca }, info) => {
    test.setTimeout(240_000)
    try {
      await callBankUnseen(page, farline, readerOf(orca))
    } finally {
      const said = orca.spoken().map(({ atMs, phrase }) => `${new Date(atMs).toISOString()} ${phrase}\n`)
      writeFileSync(info.outputPath('spoken.txt'), `${said.join('')}${orca.heard()}`)
    }
  },
)
