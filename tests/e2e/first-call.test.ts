import type { Locator } from 'playwright/test'
import { expect, test } from '#support/e2e.ts'
import { listen } from '#support/page-audio.ts'
import { newAddress, password } from '#support/people.ts'

/** How long a person needs for an action, including reading and searching. */
const paceMs = 6_000
const twoMinutesMs = 120_000

test('a new user gets from the landing page to a free call in under two minutes, and sees in the history what it cost', {
  tag: '@core',
}, async ({ page, farline }) => {
  test.setTimeout(120_000)
  await page.setViewportSize({ width: 390, height: 844 })
  const email = newAddress('newcomer')
  const main = page.getByRole('main')
  const begunMs = performance.now()
  let steps = 0
  const press = async (what: Locator) => {
    steps += 1
    await what.click()
  }
  const type = async (field: Locator, text: string) => {
    steps += 1
    await field.fill(text)
  }

  await page.goto('/')
  await press(main.getByRole('link', { name: 'Start Calling' }).first())
  await type(page.getByLabel('E-mail'), email)
  await type(page.getByLabel('Password', { exact: true }), password)
  await press(main.getByRole('button', { name: 'Register', exact: true }))
  await expect(main).toContainText(`We sent a link to ${email}`)

  await press(page.getByRole('link', { name: 'Open the local inbox' }))
  await press(page.getByRole('link').filter({ hasText: email }))
  await press(page.frameLocator('iframe').getByRole('link', { name: 'Confirm e-mail' }))
  await press(main.getByRole('link', { name: 'Make your free call' }))
  await expect(page.getByRole('heading', { name: 'How did you hear about us?' })).toBeVisible()
  await press(page.getByRole('button', { name: 'Skip' }))
  await expect(page.getByText('Free Call Available')).toBeVisible()
  await press(page.getByRole('button', { name: 'Skip tutorial' }))

  await type(page.getByRole('textbox', { name: 'Phone number' }), '2125550100')
  await expect(page.getByText('$0.020')).toBeVisible()
  await press(page.getByRole('button', { name: 'Call', exact: true }))
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  expect(steps).toBeLessThanOrEqual(12)
  expect(steps * paceMs + performance.now() - begunMs).toBeLessThan(twoMinutesMs)
  await expect(page.getByRole('timer')).toHaveText(/(?!00:00)\d\d:\d\d/)

  await expect(async () => {
    const heard = await listen(page)
    expect(Math.abs(heard.hz - 1004)).toBeLessThan(8)
    expect(heard.rms).toBeGreaterThan(0.01)
  }).toPass()

  const [callId = ''] = await farline.liveCalls()
  const receivedLevel = async () => (await farline.observe(callId))?.received.level?.dbm0 ?? Number.NaN
  await expect.poll(receivedLevel).toBeGreaterThan(-50)
  await page.getByRole('button', { name: 'Mute', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Muted', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await expect.poll(receivedLevel).toBeLessThan(-60)
  await page.getByRole('button', { name: 'Muted', exact: true }).click()
  await expect.poll(receivedLevel).toBeGreaterThan(-50)

  // A shorter free call would stay free.
  await farline.advance(11_000)
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText('Call Disconnected')).toBeVisible()
  await expect(page.getByText('Balance: $0.00')).toBeVisible()

  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/call-history')
  const row = page.getByRole('row').filter({ hasText: '212 555 0100' })
  await expect(row).toContainText('Free')
  await expect(row).toContainText('Your free call')
})
