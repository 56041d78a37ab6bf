// @covers src/islands/account/profile server/accounts/profile server/accounts/deletion server/accounts/export
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright/test'
import { violations, violationsEverywhere } from '#support/axe.ts'
import { expect, test } from '#support/e2e.ts'
import { blankPage, logIn, newAddress, password, readConfirmationToken, signUp } from '#support/people.ts'

const part = (page: Page, name: string) => page.getByRole('region', { name })
const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'

/** The token of the newest link that was sent to an address for it to become an account's own. */
async function readChangeToken(page: Page, email: string): Promise<string> {
  let token: string | undefined
  await expect(async () => {
    const inbox: { to: string; text: string }[] = await (await page.request.get('/dev/inbox.json')).json()
    const mail = inbox.find(({ to }) => to === email)
    token = /verify-email#change=([\w-]+)/.exec(mail?.text ?? '')?.[1]
    expect(token).toBeDefined()
  }).toPass()
  return token ?? ''
}

/** Whether somebody who opens their profile has to log in first. */
async function isAskedToLogIn(page: Page): Promise<boolean> {
  await page.goto('/profile')
  await expect(page.getByRole('heading', { name: /^(Welcome back|Logged-in devices)$/ })).toBeVisible()
  return new URL(page.url()).pathname === '/login'
}

test('a visitor logs in, comes back, and gives a name and another e-mail address', { tag: '@core' }, async ({
  page,
}) => {
  const email = newAddress('anna')
  await page.request.post('/api/auth/register', { data: { email, password } })
  const token = await readConfirmationToken(page, email)
  await page.goto('/profile')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click()

  const details = part(page, 'Details')
  await expect(details.getByText('Confirm your e-mail with the link we sent.')).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.request.post('/api/auth/verify-email', { data: { token } })
  await page.reload()
  await expect(details.getByText('Verified')).toBeVisible()

  await details.getByLabel('Name').fill('Anna   Berg')
  await details.getByLabel('Name').press('Enter')
  await expect(details.getByRole('status').filter({ hasText: 'Saved.' })).toBeVisible()
  await expect(part(page, 'Your return address').getByText('Anna Berg', { exact: true })).toBeVisible()

  const other = newAddress('berg')
  await details.getByLabel('E-mail').fill(other)
  await details.getByRole('button', { name: 'Save details' }).click()
  await expect(details.getByLabel('Your password', { exact: true })).toBeFocused()
  await details.getByLabel('Your password', { exact: true }).fill('not my password')
  await details.getByRole('button', { name: 'Save details' }).click()
  await expect(details.getByText("That isn't your current password.")).toBeVisible()
  expect(await violations(page)).toEqual([])
  await details.getByLabel('Your password', { exact: true }).fill(password)
  await details.getByRole('button', { name: 'Save details' }).click()
  await expect(details.getByText(`${other} becomes your e-mail once`)).toBeVisible()
  await expect(details.getByLabel('E-mail')).toHaveValue(email)

  const change = await readChangeToken(page, other)
  expect((await page.request.post('/api/auth/confirm-email-change', { data: { token: change } })).ok()).toBe(
    true,
  )
  await page.reload()
  await expect(details.getByLabel('E-mail')).toHaveValue(other)
  await expect(details.getByText('becomes your e-mail once')).toBeHidden()
})

test('devices are seen and signed out, one by one and by another password', async ({
  page,
  browser,
  baseURL,
}) => {
  const email = await signUp(page)
  const elsewhere = { ...(baseURL === undefined ? {} : { baseURL }), userAgent: iPhone }
  const phones = await Promise.all([browser.newContext(elsewhere), browser.newContext(elsewhere)])
  const [first, second] = await Promise.all(phones.map(context => context.newPage()))
  if (first === undefined || second === undefined) throw new Error('two phones were opened')
  await logIn(first, email)
  await logIn(second, email)

  await page.goto('/profile')
  const devices = part(page, 'Logged-in devices')
  await expect(devices.getByRole('listitem')).toHaveCount(3)
  await expect(devices.getByRole('listitem').first()).toContainText('This device')
  await devices.getByRole('button', { name: 'Log out Safari on iPhone' }).first().press('Enter')
  await expect(
    devices.getByRole('status').filter({ hasText: 'Safari on iPhone is logged out.' }),
  ).toBeVisible()
  await expect(devices.getByRole('listitem')).toHaveCount(2)
  const cutOff: boolean[] = []
  for (const phone of [first, second]) cutOff.push(await isAskedToLogIn(phone))
  expect(cutOff.filter(cut => cut)).toHaveLength(1)

  const secret = part(page, 'Password')
  await secret.getByLabel('Current password', { exact: true }).fill(password)
  await secret.getByLabel('New password', { exact: true }).fill('short')
  await secret.getByRole('button', { name: 'Change password' }).click()
  await expect(secret.getByText('Use at least 8 characters.')).toBeVisible()
  await secret.getByLabel('New password', { exact: true }).fill('another horse battery')
  await secret.getByLabel('New password', { exact: true }).press('Enter')
  await expect(secret.getByText('Saved. Every other device is logged out.')).toBeVisible()
  await expect(devices.getByRole('listitem')).toHaveCount(1)
  for (const phone of [first, second]) {
    await phone.goto('/profile')
    await phone.waitForURL('**/login?next=%2Fprofile')
  }
  await page.reload()
  await expect(devices.getByText('This device')).toBeVisible()
  await Promise.all(phones.map(context => context.close()))
})

test('a saved card is shown, no longer charged, and removed', async ({ page }) => {
  await signUp(page, { at: '/buy-credits?amount=10' })
  await page.getByRole('switch', { name: 'Auto top-up' }).check()
  await page.getByRole('button', { name: 'Secure Checkout' }).click()
  await page.getByRole('radio', { name: 'succeeds', exact: true }).check({ force: true })
  // A toast lasts 4 s: it is looked for from the press on.
  await Promise.all([
    expect(page.getByText('Credits added successfully!')).toBeVisible(),
    page.getByRole('button', { name: /^Pay \$/ }).click(),
  ])

  await page.goto('/profile')
  const payment = part(page, 'Payment')
  await expect(payment.getByText('Visa ending 4242')).toBeVisible()
  await expect(payment.getByText('Charged when your balance falls to $2.00')).toBeVisible()
  await Promise.all([
    expect(page.getByText('Auto top-up disabled.')).toBeVisible(),
    payment.getByRole('switch', { name: 'Auto top-up' }).uncheck(),
  ])
  await expect(payment.getByText('Saved, but never charged automatically')).toBeVisible()
  await payment.getByRole('button', { name: 'Remove Visa ending 4242' }).press('Enter')
  const question = page.getByRole('dialog', { name: 'Remove card' })
  await question.getByRole('button', { name: 'Remove', exact: true }).press('Enter')
  await expect(payment.getByText('No saved card.')).toBeVisible()
  await expect(payment.getByRole('link', { name: 'Billing history' })).toBeFocused()
  await page.reload()
  await expect(payment.getByText('No saved card.')).toBeVisible()
})

test('a user exports their data and deletes the account, knowing what is lost', async ({ page, farline }) => {
  const email = await signUp(page, { at: blankPage })
  await farline.credit(email, 12.4)
  await page.goto('/profile')
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download your data' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/^farline-data-\d{4}-\d\d-\d\d\.zip$/)
  expect(
    readFileSync(await download.path())
      .subarray(0, 2)
      .toString(),
  ).toBe('PK')
  await expect(page.getByText('Saved to Downloads.')).toBeVisible()

  const button = page.getByRole('button', { name: 'Delete account' })
  await button.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Delete account?' })
  await expect(dialog.getByText("You'll lose $12.40 of credits")).toBeVisible()
  await expect(dialog.getByRole('link', { name: 'Ask for a refund' })).toHaveAttribute(
    'href',
    '/billing-history',
  )
  await dialog.getByRole('button', { name: 'Keep account' }).press('Enter')
  await expect(button).toBeFocused()

  await button.press('Enter')
  await dialog.getByLabel('Your e-mail, to confirm').fill('somebody@example.com')
  await dialog.getByLabel('Your password', { exact: true }).fill('not my password')
  await dialog.getByRole('button', { name: 'Delete for good' }).press('Enter')
  await expect(dialog.getByText("That isn't the e-mail address of this account.")).toBeVisible()
  await expect(dialog.getByLabel('Your e-mail, to confirm')).toBeFocused()
  await dialog.getByLabel('Your e-mail, to confirm').fill(email)
  await dialog.getByRole('button', { name: 'Delete for good' }).press('Enter')
  await expect(dialog.getByText("That isn't your current password.")).toBeVisible()
  expect(await violationsEverywhere(page)).toEqual([])
  await dialog.getByLabel('Your password', { exact: true }).fill(password)
  await dialog.getByLabel('Your password', { exact: true }).press('Enter')
  await expect(dialog).toBeVisible()

  // Under way, nothing seems to stop it.
  let goOn = () => {}
  const held = new Promise<void>(resolve => {
    goOn = resolve
  })
  await page.route('**/api/protected/delete-account', async route => {
    await held
    await route.continue()
  })
  await dialog.getByRole('button', { name: 'Delete for good' }).press('Enter')
  await expect(dialog.getByRole('button', { name: 'Keep account' })).toBeDisabled()
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeDisabled()
  for (const _ of ['once', 'and once more']) await page.keyboard.press('Escape')
  await page.mouse.click(2, 2)
  await expect(dialog).toBeVisible()
  goOn()

  await page.waitForURL(address => address.pathname === '/')
  await expect(page.getByText('Your account has been deleted.')).toBeVisible()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
  const login = await page.request.post('/api/auth/login', { data: { email, password } })
  expect(login.status()).toBe(401)
})
