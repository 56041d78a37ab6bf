import { signUpWithCredit } from '#support/bad-line.ts'
import { expect, test } from '#support/e2e.ts'
import { dial, signUp } from '#support/people.ts'

/** Answers at once, and plays a tone for as long as one listens. */
const toneNumber = '2125550100'

test('a call tells its cost, its time left and its quality, shows itself in the title, and reports at its end', async ({
  page,
  farline,
}) => {
  await signUpWithCredit(page, farline)
  const reported = page.waitForRequest(request => /\/api\/calls\/[^/]+\/quality$/.test(request.url()))
  const title = await page.title()
  await dial(page, toneNumber)
  await expect(page.getByText(/^\$0\.\d+ so far$/)).toBeVisible()
  await expect(page.getByText(/^About \d+ min left$/)).toBeVisible()
  await expect(page.getByText('Good connection')).toBeVisible()
  await expect(page).toHaveTitle(/^00:\d\d \+1 212 555 0100 · Farline$/)
  const spent = await page.getByText(/so far$/).textContent()

  await page.keyboard.press('Control+Shift+M')
  await expect(page.getByRole('button', { name: 'Muted' })).toBeVisible()
  await page.keyboard.press('Control+Shift+M')
  await expect(page.getByRole('button', { name: 'Mute', exact: true })).toBeVisible()

  const [callId = ''] = await farline.liveCalls()
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page).toHaveTitle(title)
  const report = (await reported).postDataJSON()
  expect(report.seconds).toBeGreaterThan(1)
  expect(report.heardSeconds).toBeGreaterThan(0)
  await expect
    .poll(async () => (await farline.charges(callId)).reduce((sum, { amount }) => sum + amount, 0))
    .toBe(Math.round(Number(spent?.replace(/[^\d.]/g, '')) * 1_000_000))
})

test('a free call is called free, with the minutes that it lasts', async ({ page }) => {
  await signUp(page)
  await dial(page, toneNumber)
  await expect(page.getByText('Free', { exact: true })).toBeVisible()
  await expect(page.getByText('About 5 min left')).toBeVisible()
  await page.getByRole('button', { name: 'Hang up' }).click()
})

test('the microphone is silent while digits leave, and the rest can be cancelled', async ({
  page,
  farline,
}) => {
  await signUp(page)
  await dial(page, '2025550123')
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  const [callId = ''] = await farline.liveCalls()
  const isOpen = () =>
    page.evaluate(() =>
      window.observedPeers.some(peer => peer.getSenders().some(({ track }) => track?.enabled === true)),
    )
  await expect.poll(isOpen).toBe(true)
  await page.getByRole('button', { name: 'Keypad' }).click()
  const field = page.getByPlaceholder('Navigate menus (0-9, *, #)')
  await field.pressSequentially('123456789')
  await expect(page.getByText(/^Sending \d of \d\. Microphone off\.$/)).toBeVisible()
  expect(await isOpen()).toBe(false)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(isOpen).toBe(true)
  const sent = await field.inputValue()
  expect(sent.length).toBeLessThan(9)
  await expect.poll(async () => (await farline.observe(callId))?.digits).toBe(sent)
  await page.getByRole('button', { name: 'Hang up' }).click()
})
