// @covers src/content/legal src/components/legal src/components/lost
import { expect, test } from '#support/e2e.ts'
import { dial, signUp } from '#support/people.ts'

test('a visitor reads from the footer what it takes to get money back', { tag: '@core' }, async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms & Conditions' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Terms & Conditions' })).toBeVisible()
  const index = page.getByRole('navigation', { name: 'On this page' })
  await index.getByRole('link', { name: /Money back/ }).click()
  await expect(page.getByRole('heading', { name: /Money back/ })).toBeInViewport()
  await page.getByRole('heading', { name: /Auto top-up/ }).evaluate(heading => {
    scrollTo({ top: scrollY + heading.getBoundingClientRect().top - 100, behavior: 'instant' })
  })
  await expect(index.getByRole('link', { name: /Auto top-up/ })).toHaveAttribute('aria-current', 'true')
  await expect(index.locator('[aria-current]')).toHaveCount(1)
  await page
    .getByRole('navigation', { name: 'More rules' })
    .getByRole('link', { name: 'Refunds', exact: true })
    .click()
  await expect(page.getByRole('heading', { name: /7-day money-back guarantee/ })).toBeVisible()
})

test('the cookies page names everything that a visit, a sign-up, a call and a logout leave in the browser', async ({
  page,
}) => {
  const seen = new Set<string>()
  const look = async () => {
    for (const { name } of await page.context().cookies()) seen.add(name)
    const keys = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)])
    for (const key of keys) seen.add(key)
  }
  await page.goto('/cookies')
  await look()
  expect([...seen]).toEqual([])
  await page.getByRole('button', { name: 'Switch to dark theme' }).click()
  await look()
  const pageText = (await page.getByRole('main').textContent()) ?? ''
  await page.goto('/register?next=%2Fcall')
  await page.getByLabel('E-mail').fill('reader@example.com')
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await page.getByRole('main').getByRole('button', { name: 'Register', exact: true }).click()
  await expect(page).toHaveURL(/\/check-email$/)
  await look()
  await signUp(page)
  await look()
  await dial(page, '2125550100')
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  await look()
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText('Call Disconnected')).toBeVisible()
  await page.goto('/')
  const left = page.waitForEvent('load')
  await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click()
  await left
  await look()
  expect([...seen]).toEqual(
    expect.arrayContaining(['theme', 'token', 'refresh', 'afterRegistration', 'confirmationMail']),
  )
  expect([...seen].filter(name => !pageText.includes(name))).toEqual([])
})

for (const [typed, meant, href] of [
  ['/calling/India', 'Calls to India', '/calling/in'],
  ['/refund-policy.html', 'Refunds', '/refunds'],
  ['/desti', 'Destinations and rates', '/destinations'],
] as const) {
  test(`a wrong address such as ${typed} offers ${meant}`, async ({ page }) => {
    const answer = await page.goto(typed)
    expect(answer?.status()).toBe(404)
    await expect(page.getByText(`Did you mean ${meant}?`)).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: meant }).first().click()
    await expect(page).toHaveURL(new RegExp(`${href}$`))
  })
}

test('an address that says nothing offers the likely pages and no guess', async ({ page }) => {
  await page.goto('/qqq/123')
  await expect(page.getByText('Did you mean')).toBeHidden()
  await expect(page.getByRole('navigation', { name: 'Maybe one of these' })).toContainText('FAQ')
})
