import { expect as expectBase, test } from '#support/e2e.ts'
import { type Orca, openOrca, whyNoOrca } from '#support/orca.ts'
import { signUp } from '#support/people.ts'

/** Orca needs seconds to start and to read a page. */
const expect = expectBase.configure({ timeout: 40_000 })

const missing = whyNoOrca()
// Workers load this file as well, and need not repeat it.
if (missing !== undefined && process.env['TEST_WORKER_INDEX'] === undefined)
  console.log(`SKIPPED: ${missing}`)
test.skip(missing !== undefined, missing)

/** The callee speaks first, and the user must hear who it is. */
const greetingMs = 10_000
const greetingWords = 6

/** Waits until Orca has said nothing for 3 s. */
async function silence(spoken: Orca['spoken']): Promise<void> {
  let heard = -1
  await expect
    .poll(
      () => {
        const before = heard
        heard = spoken().length
        return heard === before
      },
      { intervals: [3_000], timeout: 60_000 },
    )
    .toBe(true)
}

test('Orca says each state of a call and what it cost, and lets the callee speak', { tag: '@full' }, async ({
  farline,
}) => {
  test.setTimeout(240_000)
  const { browser, spoken, close } = await openOrca()
  try {
    const page = await browser.newPage({ baseURL: farline.url })
    const phrases = () => spoken().map(({ phrase }) => phrase)
    await expect.poll(phrases).toContain('Screen reader on.')
    await signUp(page)
    // It reads the new page from top to bottom, and a key would interrupt that.
    await expect.poll(() => phrases().join(' ')).toContain('Finished loading Call')
    await silence(spoken)
    await page.getByRole('textbox', { name: 'Phone number' }).focus()
    await page.keyboard.type('2125550100')
    await expect(page.getByText('$0.020')).toBeVisible()
    await silence(spoken)
    await page.keyboard.press('Enter')
    await expect.poll(phrases).toContain('Ringing')
    await expect.poll(phrases).toContain('In Call')
    await page.waitForTimeout(greetingMs)
    const said = spoken()
    const answeredMs = said.find(({ phrase }) => phrase === 'In Call')?.atMs ?? Number.NaN
    const over = said.filter(({ atMs }) => atMs >= answeredMs && atMs < answeredMs + greetingMs)
    const words = over.flatMap(({ phrase }) => phrase.split(/\s+/))
    expect(words.length, words.join(' ')).toBeLessThanOrEqual(greetingWords)
    await page.getByRole('button', { name: 'Hang up' }).press('Enter')
    await expect.poll(phrases).toContain('Call Disconnected')
    await expect.poll(() => phrases().join(' ')).toMatch(/You hung up\. Talked 0:\d\d, free call\./)
  } finally {
    await close()
  }
})
