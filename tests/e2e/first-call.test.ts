import { expect, test } from '#support/e2e.ts'
import { hear } from '#support/page-audio.ts'
import { newAddress, password } from '#support/people.ts'

test('somebody new registers, confirms, calls for free, and sees in the history what it cost', async ({
  page,
  farline,
}) => {
  const email = newAddress('newcomer')
  await page.goto('/')
  await page.getByRole('main').getByRole('link', { name: 'Start Calling' }).first().click()
  await expect(page).toHaveURL(/\/register$/)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Register', exact: true }).click()
  await expect(page).toHaveURL(/\/check-email$/)
  await expect(page.getByRole('main')).toContainText(email)

  await page.goto('/dev/inbox')
  await page.getByRole('link').filter({ hasText: email }).click()
  await page.getByRole('link', { name: /\/verify-email\?token=/ }).click()
  await expect(page).toHaveURL(/\/email-verified$/)

  await page.getByRole('main').getByRole('link', { name: 'Log in and call' }).click()
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page.getByText('Free Call Available')).toBeVisible()
  await page.getByRole('button', { name: 'Skip tutorial' }).click()
  await expect(page.getByText('Call Disconnected')).toBeVisible()

  await page.getByRole('textbox', { name: 'Phone number' }).fill('2125550100')
  await expect(page.getByText('$0.020')).toBeVisible()
  await page.getByRole('button', { name: 'Call', exact: true }).click()
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  await expect(page.getByRole('timer')).toHaveText(/00:0[1-9]/)

  await expect(async () => {
    const heard = await hear(page)
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

  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText('Call Disconnected')).toBeVisible()
  await expect(page.getByText('Balance: $0.00')).toBeVisible()

  await page.goto('/call-history')
  const row = page.getByRole('row').filter({ hasText: '212 555 0100' })
  await expect(row).toContainText('$0.00')
  await expect(row).toContainText('First call, free')
})
