// @covers src/islands/account/sign-in server/accounts/second-factor
import type { BrowserContext, Page } from 'playwright/test'
import { plugAuthenticatorIn } from '#support/authenticator.ts'
import { createAuthenticatorApp } from '#support/authenticator-app.ts'
import { violations } from '#support/axe.ts'
import { expect, test } from '#support/e2e.ts'
import { blankPage, newAddress, password, signUp } from '#support/people.ts'
import type { TestServer } from '#support/test-server.ts'

/** As if the browser's session had ended, and nothing else. */
async function logOut(page: Page): Promise<void> {
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(url => url.pathname === '/')
}

async function typePassword(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click()
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.goto('/profile#profile-security')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Name', { exact: true }).last().fill(name)
  await page.getByRole('button', { name: 'Continue' }).click()
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const codesIn = (page: Page) => page.getByRole('dialog').getByRole('listitem').allInnerTexts()

test('a user adds a passkey and logs in with it alone, and after the password', async ({ page }) => {
  const authenticator = await plugAuthenticatorIn(page)
  const email = await signUp(page, { email: newAddress('keeper') })
  await addPasskey(page, 'My laptop')
  await expect(page.getByRole('heading', { name: 'Your recovery codes' })).toBeVisible()
  expect(await codesIn(page)).toHaveLength(10)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download', exact: true }).click(),
  ])
  expect(download.suggestedFilename()).toBe('farline-recovery-codes.txt')
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: "I've saved them" }).click()
  await expect(page.getByText('Passkey added.')).toBeVisible()
  await expect(page.getByText(/^Added .*, not used yet$/)).toBeVisible()
  await expect(page.getByText('10 left')).toBeVisible()
  expect(await violations(page)).toEqual([])

  await logOut(page)
  await page.goto('/login?next=/call-history', { waitUntil: 'networkidle' })
  await page.getByRole('button', { name: 'Log in with a passkey' }).click()
  await expect(page).toHaveURL(url => url.pathname === '/call-history')

  await logOut(page)
  await page.goto('/login?next=/referrals')
  await typePassword(page, email)
  await expect(heading(page)).toHaveText('One more step')
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Use your passkey' }).click()
  await expect(page).toHaveURL(url => url.pathname === '/referrals')

  await page.goto('/profile')
  await expect(page.getByText(/^Added .*, last used /)).toBeVisible()
  expect(await authenticator.offered()).toEqual([email])
  await page.getByRole('button', { name: /^Remove the passkey My laptop/ }).click()
  await expect(page.getByText('Removed My laptop.')).toBeVisible()
  await expect.poll(() => authenticator.offered()).toEqual([])
  await logOut(page)
  await page.goto('/login')
  await typePassword(page, email)
  await expect(page).toHaveURL(url => url.pathname === '/call')
})

test('a user with an authenticator app logs in with its code, and once with a recovery code', {
  tag: '@core',
}, async ({ page, farline }) => {
  const email = await signUp(page, { email: newAddress('coder'), at: '/profile#profile-security' })
  await page.getByRole('button', { name: 'Add an authenticator app' }).click()
  await expect(page.getByRole('img', { name: /^QR code/ })).toBeVisible()
  const app = createAuthenticatorApp(await page.locator('dialog code').innerText())
  expect(await violations(page)).toEqual([])
  await page.getByRole('textbox', { name: 'Code' }).fill('000000')
  await page.getByRole('button', { name: 'Add app' }).click()
  await expect(page.getByText("That code isn't right.")).toBeVisible()
  await page.getByRole('textbox', { name: 'Code' }).fill(app.code(await farline.now()))
  await page.getByRole('button', { name: 'Add app' }).click()
  await expect(page.getByRole('heading', { name: 'Your recovery codes' })).toBeVisible()
  const [recovery = ''] = await codesIn(page)
  await page.getByRole('button', { name: "I've saved them" }).click()
  await expect(page.getByText('Authenticator app added.')).toBeVisible()

  await logOut(page)
  await page.goto('/login')
  await typePassword(page, email)
  await expect(heading(page)).toHaveText('One more step')
  await page.getByRole('textbox', { name: 'Code' }).fill('123456')
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(page.getByText("That code isn't right, or has been used.")).toBeVisible()
  // The code that set the app up is used: the next one counts already.
  await page.getByRole('textbox', { name: 'Code' }).fill(app.code(await farline.now(), 1))
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(page).toHaveURL(url => url.pathname === '/call')

  await logOut(page)
  await page.goto('/login')
  await typePassword(page, email)
  await page.getByRole('textbox', { name: 'Code' }).fill(recovery)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(page).toHaveURL(url => url.pathname === '/call')
  await page.goto('/profile')
  await expect(page.getByText('9 left')).toBeVisible()
})

test('a user who comes by Google is asked for the second step too, and a removed passkey is offered once more at most', async ({
  page,
}) => {
  const authenticator = await plugAuthenticatorIn(page)
  const email = newAddress('google-keeper')
  const comeByGoogle = async (next: string) => {
    await page.goto(`/login?next=${next}`)
    await page.getByRole('link', { name: 'Continue with Google' }).click()
    await page.getByLabel('Or any e-mail address').fill(email)
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
  }
  await comeByGoogle('/profile')
  await expect(page).toHaveURL(url => url.pathname === '/profile')
  await addPasskey(page, 'My laptop')
  await page.getByRole('button', { name: "I've saved them" }).click()
  await logOut(page)
  await comeByGoogle('/referrals')
  await expect(heading(page)).toHaveText('One more step')
  expect(page.url()).not.toContain('second_factor')
  await page.getByRole('button', { name: 'Use your passkey' }).click()
  await expect(page).toHaveURL(url => url.pathname === '/referrals')

  await removePasskeyElsewhere(page)
  await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(url => url.pathname === '/')
  expect(await authenticator.offered()).toEqual([email])
  await page.goto('/login', { waitUntil: 'networkidle' })
  await page.getByRole('button', { name: 'Log in with a passkey' }).click()
  await expect(page.getByText(/^That passkey doesn't belong/)).toBeVisible()
  await expect.poll(() => authenticator.offered()).toEqual([])
})

/** As on another device: this browser does not learn of it. */
async function removePasskeyElsewhere(page: Page): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem('token'))
  const headers = { authorization: `Bearer ${token}` }
  const security = await (await page.request.get('/api/protected/security', { headers })).json()
  const path = `/api/protected/security/passkeys/${security.passkeys[0].id}`
  expect((await page.request.delete(path, { headers, data: { password: '' } })).status()).toBe(200)
}

test('an operator is led to a second factor, and gets in with it', async ({ page, farline }) => {
  await plugAuthenticatorIn(page)
  await page.goto(await printLink(farline))
  await expect(heading(page)).toHaveText('Log in first')
  await signUp(page, { email: newAddress('operator'), at: blankPage })
  const link = await printLink(farline)
  await page.goto(link)
  await expect(heading(page)).toHaveText('This page needs a second factor')
  expect(await violations(page)).toEqual([])
  await page.getByRole('link', { name: 'Set up a second factor' }).click()
  await addPasskey(page, 'My laptop')
  await page.getByRole('button', { name: "I've saved them" }).click()
  await logOut(page)
  await page.goto('/login?next=/ops')
  await page.getByRole('button', { name: 'Log in with a passkey' }).click()
  await expect(heading(page)).toHaveText('For operators')
  await page.goto(link)
  await expect(heading(page)).toHaveText('Lines')
  await expectNoTrace(page.context())
})

async function printLink(farline: TestServer): Promise<string> {
  const [link = ''] = (await farline.admin('ops-link', '--as', 'Anna')).split('\n')
  return link
}

/** No step of a sign-in is left. */
async function expectNoTrace(context: BrowserContext): Promise<void> {
  const names = (await context.cookies()).map(({ name }) => name)
  expect(names).not.toContain('step')
}
