// @covers src/components/destinations.ts src/components/calling
import { expect, test } from '#support/e2e.ts'
import { newAddress, password, readConfirmationToken, signUp } from '#support/people.ts'

test('a visitor finds a country by name, by what people call it, and by dial code', async ({ page }) => {
  await page.goto('/destinations')
  const list = page.getByRole('main')
  const search = page.getByRole('searchbox', { name: 'Search countries' })
  const count = page.getByRole('status')
  await expect(count).toHaveText('168 destinations')
  await expect(list.getByRole('link', { name: 'India', exact: true })).toBeVisible()

  await search.fill('atlantis')
  await expect(count).toHaveText('0 destinations')
  await expect(page.getByText("We couldn't find a country")).toBeVisible()
  await search.fill("COTE D'IVOIRE")
  await expect(count).toHaveText('1 destination')
  await expect(list.getByRole('link', { name: 'Côte d’Ivoire' })).toBeVisible()
  await expect(list.getByRole('link', { name: 'India', exact: true })).toBeHidden()
  await expect(page.getByText("We couldn't find a country")).toBeHidden()
  await expect(page.getByRole('heading', { name: 'I', exact: true })).toBeHidden()

  await search.fill('Philipines')
  await expect(list.getByRole('link', { name: 'Philippines' })).toBeVisible()
  await expect(count).toHaveText('1 destination')
  await search.fill('Filipinas')
  await expect(list.getByRole('link', { name: 'Philippines' })).toBeVisible()
  await search.fill('Deutschland')
  await expect(list.getByRole('link', { name: 'Germany' })).toBeVisible()
  await search.fill('holland')
  await expect(list.getByRole('link', { name: 'Netherlands' })).toBeVisible()
  await search.fill('+44')
  await expect(count).toHaveText('4 destinations')
  await search.fill('1829')
  await expect(list.getByRole('listitem')).toHaveText(
    /Dominican Republic.*\+1829.*3 min free.*13\.5¢.*landline 13\.5¢/,
  )

  await search.fill('')
  await expect(count).toHaveText('168 destinations')
  await list.getByRole('link', { name: 'Z', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Z', exact: true })).toBeInViewport()
  await list.getByRole('link', { name: 'Zimbabwe' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Call Zimbabwe')
})

test('a country’s page shows what a call costs, how to dial and what time it is there', {
  tag: '@core',
}, async ({ page }) => {
  await page.clock.setFixedTime(new Date('2026-01-15T14:05:00Z'))
  await page.goto('/calling/it')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Call Italy')
  await expect(page.getByRole('heading', { name: 'It is 15:05 in Italy' })).toBeVisible()
  await expect(page.getByText('A good time to ring.')).toBeVisible()
  const hand = page.locator('.day')
  expect(await hand.evaluate(day => Number.parseFloat(day.style.getPropertyValue('--at')))).toBeCloseTo(
    62.85,
    1,
  )
  await expect(
    page.getByRole('row', { name: /^Mobiles and landlines.*first call free for 5 minutes/ }),
  ).toContainText('$0.023')
  await expect(page.getByRole('row', { name: /^Vatican City.*\+39 06698/ })).toContainText('$0.055')
  await expect(page.getByText('Italian landlines keep their 0')).toBeVisible()
  await expect(page.getByText('Emergency numbers: 112, 113, 115 and 118')).toBeVisible()
  const question = page.getByText('What does a call to Italy cost?')
  const answer = page.getByText('$0.023 a minute to mobiles and landlines')
  await expect(answer).toBeHidden()
  await question.click()
  await expect(answer).toBeVisible()

  await page.clock.setFixedTime(new Date('2026-01-15T21:30:00Z'))
  await page.goto('/calling/cu')
  await expect(
    page.getByText('Caution: This number may be blocked or fail to connect.').first(),
  ).toBeVisible()
  await expect(page.getByText("The free first call doesn't cover mobiles there.")).toBeVisible()
  await page.goto('/calling/us')
  await expect(page.getByRole('heading', { name: 'It is 16:30 in New York' })).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'Hawaii' })).toContainText('11:30')
  await page.goto('/calling/kz')
  await expect(page.getByText('Most people there are asleep.')).toBeVisible()
})

test('a visitor who presses Call on a country comes to the dialler on it, by way of registering', async ({
  page,
}) => {
  const email = newAddress('destination')
  await page.goto('/calling/in')
  await page.getByRole('main').getByRole('link', { name: 'Call India' }).click()
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Register', exact: true }).click()
  await expect(page).toHaveURL(/\/check-email$/)

  await page.goto(`/verify-email#token=${await readConfirmationToken(page, email)}`)
  await expect(page).toHaveURL(/\/call\?country=in$/)
  await expect(page.getByRole('button', { name: /India.*\+91/ })).toBeVisible()
})

test('with a session, Call opens the dialler on the country; one that is not on the list changes nothing', async ({
  page,
}) => {
  await signUp(page, { at: '/calling/hu' })
  const country = (name: RegExp) => page.getByRole('main').getByRole('button', { name })
  await page.getByRole('main').getByRole('link', { name: 'Call Hungary' }).click()
  await expect(country(/Hungary.*\+36/)).toBeVisible()
  await page.reload()
  await expect(country(/Hungary.*\+36/)).toBeVisible()
  for (const unknown of ['xx', '', '%3Cscript%3E']) {
    await page.goto(`/call?country=${unknown}`)
    await expect(country(/United States.*\+1/)).toBeVisible()
  }
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the list and a country’s page say all that they know', async ({ page }) => {
    await page.goto('/destinations')
    const list = page.getByRole('main')
    await expect(list.getByRole('link', { name: 'Afghanistan' })).toBeVisible()
    await expect(list.getByRole('link', { name: 'Zimbabwe' })).toBeVisible()
    await expect(page.getByRole('searchbox')).toBeHidden()
    await list.getByRole('link', { name: 'Kazakhstan' }).click()
    await expect(page.getByRole('heading', { name: 'The time in Kazakhstan' })).toBeVisible()
    await expect(page.getByText('UTC+5: 5 hours ahead of London in January, 4 hours in July.')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'It is' })).toHaveCount(0)
    await expect(page.getByRole('main').getByRole('link', { name: 'Call Kazakhstan' })).toHaveAttribute(
      'href',
      '/register?next=%2Fcall%3Fcountry%3Dkz',
    )
  })
})
