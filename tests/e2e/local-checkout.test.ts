// @covers src/islands/dev server/payment-provider/local
import type { Page } from 'playwright/test'
import { violationsEverywhere } from '#support/axe.ts'
import { expect, test } from '#support/e2e.ts'
import { blankPage, signUp } from '#support/people.ts'

/** From the page Buy Credits to the hosted checkout. */
async function buy(page: Page, amount: number): Promise<void> {
  await page.goto(`/buy-credits?amount=${amount}`)
  await page.getByRole('button', { name: 'Secure Checkout' }).click()
  await expect(page.getByRole('heading', { name: `Pay Farline $${amount}.00` })).toBeVisible()
}

const payButton = (page: Page) => page.getByRole('button', { name: /^Pay \$/ })

/** What `me` says that somebody has, in US dollars. */
async function credits(page: Page): Promise<number> {
  const token = await page.evaluate(() => localStorage.getItem('token'))
  const me = await page.request.get('/api/protected/me', { headers: { authorization: `Bearer ${token}` } })
  return (await me.json()).credits
}

test('a card that works: the way back comes by itself, and the credits with it', async ({ page }) => {
  await signUp(page, { at: blankPage })
  await buy(page, 50)
  await expect(page.getByRole('region', { name: 'Pay Farline' })).toContainText('Bonus credits$2.00')
  const checkout = page.url()
  await page.getByRole('radio', { name: 'succeeds' }).check({ force: true })
  await expect(page.getByLabel('Card number')).toHaveValue('4242 4242 4242 4242')
  await payButton(page).click()
  await expect(page.getByRole('heading', { name: 'Paid, $50.00' })).toBeFocused()
  await expect(page.getByText(/webhook checkout\.completed was delivered and answered 200/)).toBeVisible()
  await page.waitForURL('**/call*')
  await expect.poll(() => credits(page)).toBe(52)

  await page.goto(checkout)
  await expect(page.getByRole('heading', { name: 'This has already been paid' })).toBeVisible()
  await expect(payButton(page)).toHaveCount(0)
})

test('a card that is declined: the message stays with what was typed, and another card pays', async ({
  page,
}) => {
  await signUp(page, { at: blankPage })
  await buy(page, 10)
  await page.getByRole('radio', { name: 'declines', exact: true }).check({ force: true })
  await payButton(page).click()
  const rejection = page.getByText('The card was declined. Try another card, or ask the bank.')
  await expect(rejection).toBeVisible()
  await expect(page.getByLabel('Card number')).toHaveAccessibleDescription(/The card was declined/)
  await expect(page.getByLabel('Card number')).toHaveValue('4000 0000 0000 0002')
  expect(await violationsEverywhere(page)).toEqual([])
  await page.getByRole('radio', { name: 'succeeds' }).check({ force: true })
  await expect(rejection).toBeVisible()
  await payButton(page).click()
  await page.waitForURL('**/call*')
  await expect.poll(() => credits(page)).toBe(10)
})

test('a bank that asks: nothing is paid if it refuses, the payment is made if it approves, even after a reload', async ({
  page,
}) => {
  await signUp(page, { at: blankPage })
  await buy(page, 25)
  await page.getByRole('radio', { name: 'needs authentication', exact: true }).check({ force: true })
  await payButton(page).click()
  const bank = page.getByRole('dialog', { name: 'Specimen Bank' })
  await expect(bank).toContainText('Farline asks for $25.00 from the card ending 3155. Was this you?')
  expect(await violationsEverywhere(page)).toEqual([])
  await bank.getByRole('button', { name: 'Refuse' }).click()
  await expect(page.getByText("You told the bank it wasn't you.")).toBeVisible()
  expect(await credits(page)).toBe(0)
  await payButton(page).click()
  await page.reload()
  await bank.getByRole('button', { name: 'Approve' }).click()
  await page.waitForURL('**/call*')
  await expect.poll(() => credits(page)).toBe(25)
})

test('by the keyboard: fields group what is typed, say what is wrong, and reject a real card', async ({
  page,
}) => {
  await signUp(page, { at: blankPage })
  await buy(page, 10)
  await payButton(page).click()
  await expect(page.getByLabel('Card number')).toBeFocused()
  await expect(page.getByLabel('Card number')).toHaveAccessibleDescription('Enter the card number.')
  await expect(page.getByLabel('Name on card')).toHaveAccessibleDescription('Enter the name on the card.')
  expect(await violationsEverywhere(page)).toEqual([])
  await page.keyboard.type('411111111111')
  await page.keyboard.press('Home')
  await page.keyboard.type('1111')
  await expect(page.getByLabel('Card number')).toHaveValue('1111 4111 1111 1111')
  await page.getByLabel('Card number').fill('4111111111111111')
  await page.keyboard.press('Tab')
  await page.keyboard.type('1399')
  await page.keyboard.press('Tab')
  await page.keyboard.type('12a3')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Anna Berg')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Card number')).toHaveAccessibleDescription(/Only test cards work here/)
  await expect(page.getByLabel('Expires')).toHaveAccessibleDescription('Use MM / YY.')
  await expect(page.getByLabel('Security code')).toHaveValue('123')
  await page.getByLabel('Card number').fill('4242424242424242')
  await page.getByLabel('Expires').fill('12/2030')
  await expect(page.getByLabel('Expires')).toHaveValue('12 / 30')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/call*')
  await expect.poll(() => credits(page)).toBe(10)
})

test('a cancelled payment charges nothing; one that is reported late and twice is credited once', async ({
  page,
  farline,
}) => {
  await signUp(page, { at: blankPage })
  await buy(page, 10)
  await page.getByRole('link', { name: 'Cancel and go back' }).click()
  await page.waitForURL('**/buy-credits*')
  await buy(page, 10)
  await page.getByRole('radio', { name: 'after 20 seconds' }).check({ force: true })
  await page.getByRole('radio', { name: 'succeeds' }).check({ force: true })
  await payButton(page).click()
  await page.waitForURL('**/call*')
  expect(await credits(page)).toBe(0)
  await farline.advance(20_000)
  await expect.poll(() => credits(page)).toBe(10)

  await buy(page, 10)
  const checkout = page.url()
  await page.getByRole('radio', { name: 'twice' }).check({ force: true })
  await page.getByRole('radio', { name: 'succeeds' }).check({ force: true })
  await payButton(page).click()
  await page.waitForURL('**/call*')
  await expect.poll(() => credits(page)).toBe(20)
  await page.goto(checkout)
  await expect(page.getByText(/delivered and answered 200/)).toBeVisible()
  expect(await credits(page)).toBe(20)
})

test('an address that names no checkout says where one begins, and nobody is kept out', async ({ page }) => {
  await page.goto('/dev/checkout?session=cs_local_guessed')
  await expect(page.getByRole('heading', { name: 'No such checkout' })).toBeVisible()
  expect(await violationsEverywhere(page)).toEqual([])
  await page.getByRole('link', { name: 'Buy credits', exact: true }).click()
  await page.waitForURL('**/buy-credits')
})
