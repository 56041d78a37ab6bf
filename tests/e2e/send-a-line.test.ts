// @covers src/islands/gifts server/payments/gifts
import type { Page } from 'playwright/test'
import { violationsEverywhere } from '#support/axe.ts'
import { expect, test } from '#support/e2e.ts'
import { newAddress, password, readConfirmationToken, signUp } from '#support/people.ts'

async function writeEnvelope(page: Page, email: string): Promise<void> {
  await page.getByRole('radio', { name: /\$10/ }).check({ force: true })
  await page.getByLabel('For', { exact: true }).fill('Mum')
  await page.getByLabel('From', { exact: true }).fill('Ana')
  await page.getByLabel(/A line from you/).fill('So that you can call me on Sundays.')
  await page.getByLabel(/Their e-mail address/).fill(email)
}

async function payWithCard(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Pay Farline $10.00' })).toBeVisible()
  await page.getByRole('radio', { name: 'succeeds', exact: true }).check({ force: true })
  await page.getByRole('button', { name: /^Pay \$/ }).click()
  await page.waitForURL('**/send-a-line*')
}

/** The link in the envelope that was mailed. */
async function mailedLink(page: Page, email: string): Promise<string> {
  let link: string | undefined
  await expect(async () => {
    const inbox: { to: string; text: string }[] = await (await page.request.get('/dev/inbox.json')).json()
    link = /\S+\/redeem#code=\S+/.exec(inbox.find(mail => mail.to === email)?.text ?? '')?.[0]
    expect(link).toBeDefined()
  }).toPass()
  return link ?? ''
}

test('Ana sends Mum a booklet; Mum opens the mail, signs up and redeems it, and Ana sees it', {
  tag: '@core',
}, async ({ page, browser, baseURL, farline }) => {
  const address = newAddress('mum')
  await signUp(page, { at: '/buy-credits' })
  await page.getByRole('link', { name: 'Send a line' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Send a line' })).toBeVisible()
  await page.getByRole('button', { name: 'Secure Checkout' }).click()
  await expect(page.getByText('Who is it for?')).toBeVisible()
  await expect(page.getByLabel('For', { exact: true })).toBeFocused()
  await writeEnvelope(page, address)
  await expect(page.getByRole('complementary', { name: 'Your envelope' })).toContainText('ToMum')
  expect(await violationsEverywhere(page)).toEqual([])
  await page.getByRole('button', { name: 'Secure Checkout' }).click()
  await payWithCard(page)
  const row = page.getByRole('listitem').filter({ hasText: 'For Mum, $10.00' })
  await expect(row).toContainText('Not redeemed yet')
  await expect(row).toContainText(`We e-mail it to ${address} an hour after the payment.`)
  await expect(page.getByText('Your booklet for Mum is ready below.')).toBeVisible()
  expect(await violationsEverywhere(page)).toEqual([])

  // On paper: one sheet with the envelope and the letter, and nothing of the page.
  await page.evaluate(() => {
    window.print = () => undefined
  })
  await row.getByRole('button', { name: 'Print the envelope for Mum' }).click()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByText('Your code', { exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Ana sent you a line' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeHidden()
  const pdf = (await page.pdf({ format: 'A4', preferCSSPageSize: true })).toString('latin1')
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
  await page.emulateMedia({ media: null })
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))

  await farline.leap(3_600_000)
  const link = await mailedLink(page, address)
  const elsewhere = await browser.newContext(baseURL === undefined ? {} : { baseURL })
  const mum = await elsewhere.newPage()
  const requests: string[] = []
  elsewhere.on('request', request => requests.push(request.url()))
  await mum.goto(new URL(link).pathname + new URL(link).hash)
  await expect(mum.getByRole('heading', { name: 'Somebody sent you a line' })).toBeVisible()
  expect(new URL(mum.url()).hash).toBe('')
  expect(await violationsEverywhere(mum)).toEqual([])
  await mum.getByRole('button', { name: 'Sign up' }).click()
  await mum.waitForURL('**/register')
  await mum.getByLabel('E-mail').fill(address)
  await mum.getByLabel('Password', { exact: true }).fill(password)
  await mum.getByRole('main').getByRole('button', { name: 'Register', exact: true }).click()
  await mum.waitForURL('**/check-email')
  const token = await readConfirmationToken(mum, address)
  // The mailed link opens another tab.
  const tab = await elsewhere.newPage()
  await tab.goto(`/verify-email#token=${token}`)
  await tab.waitForURL('**/redeem')
  await expect(tab.getByRole('heading', { name: 'Ana sent you a line' })).toBeFocused()
  await expect(tab.getByText('So that you can call me on Sundays.')).toBeVisible()
  expect(await violationsEverywhere(tab)).toEqual([])
  await tab.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(tab.getByRole('heading', { name: '$10.00 is in your balance' })).toBeVisible()
  expect(await violationsEverywhere(tab)).toEqual([])
  await tab.goto('/billing-history')
  await expect(tab.getByRole('row', { name: /Gift from Ana/ })).toContainText('+$10.00')
  const code = new URLSearchParams(new URL(link).hash.slice(1)).get('code') ?? 'none'
  expect(requests.filter(url => url.includes(code))).toEqual([])

  await page.reload()
  await expect(row).toContainText(/Redeemed on/)
  await expect(row.getByRole('button', { name: /Refund/ })).toHaveCount(0)
  await page.goto('/billing-history')
  const line = page.getByRole('row', { name: /Gift for Mum, \$10\.00 by card/ })
  await line.getByRole('link', { name: /^Receipt F-/ }).click()
  await expect(page.getByText('Booklet of calling credits for Mum')).toBeVisible()

  // Nobody but the redeemer learns that a code is used.
  await page.goto('/redeem')
  await page.getByLabel('Your code').fill(code)
  await page.getByRole('button', { name: 'Open the envelope' }).click()
  await expect(page.getByText("This code doesn't open a booklet.")).toBeVisible()
  await elsewhere.close()
})

test('a visitor loses nothing on the way to a booklet, and has the money back while nobody has redeemed it', async ({
  page,
}) => {
  await page.goto('/send-a-line')
  await writeEnvelope(page, '')
  await page.getByRole('button', { name: 'Secure Checkout' }).click()
  await page.waitForURL('**/register')
  await expect(page.getByText('Sign up to send your booklet.')).toBeVisible()
  const email = newAddress()
  await page.request.post('/api/auth/register', { data: { email, password } })
  const token = await readConfirmationToken(page, email)
  await page.request.post('/api/auth/verify-email', { data: { token } })
  await page.goto('/login')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click()
  await page.waitForURL('**/send-a-line')
  await expect(page.getByLabel('For', { exact: true })).toHaveValue('Mum')
  await expect(page.getByLabel(/A line from you/)).toHaveValue('So that you can call me on Sundays.')
  await page.getByRole('button', { name: 'Secure Checkout' }).click()
  await expect(page.getByRole('heading', { name: 'Pay Farline $10.00' })).toBeVisible()
  await page.getByRole('link', { name: 'Cancel and go back' }).click()
  await expect(page.getByText('Checkout cancelled. Nothing was charged.')).toBeVisible()
  await expect(page.getByLabel('For', { exact: true })).toHaveValue('Mum')
  await page.getByRole('button', { name: 'Secure Checkout' }).click()
  await payWithCard(page)
  const row = page.getByRole('listitem').filter({ hasText: 'For Mum, $10.00' })
  await expect(row).toContainText('Print the envelope, or copy the link and pass it on.')
  await expect(page.getByLabel('For', { exact: true })).toHaveValue('')

  // Somebody who leaves first hears of the booklet, and is led to its money.
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Delete account' }).click()
  const leaving = page.getByRole('dialog', { name: 'Delete account?' })
  await expect(leaving.getByText("A booklet you sent hasn't been redeemed yet:")).toBeVisible()
  await expect(leaving.getByRole('listitem')).toHaveText('for Mum, $10.00')
  expect(await violationsEverywhere(page)).toEqual([])
  await leaving.getByRole('link', { name: 'Get its money back' }).click()
  await page.waitForURL('**/send-a-line*')
  await row.getByRole('button', { name: 'Refund the booklet for Mum' }).click()
  const dialog = page.getByRole('dialog', { name: 'Refund the booklet for Mum' })
  expect(await violationsEverywhere(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Refund $10.00' }).click()
  await expect(row).toContainText('Refunded')
  await expect(page.getByText('$10.00 is on its way back to your card.')).toBeVisible()
  await page.goto('/billing-history')
  await page.getByRole('group', { name: 'Show' }).getByText('Refunds').click()
  await expect(
    page.getByRole('row', { name: /Refund of the gift for Mum, \$10\.00 to your card/ }),
  ).toBeVisible()
})
