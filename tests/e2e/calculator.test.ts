// @covers src/islands/calculator server/tariff
import type { Locator, Page } from 'playwright/test'
import { violationsEverywhere } from '#support/axe.ts'
import { expect, test } from '#support/e2e.ts'
import { blankPage, signUp } from '#support/people.ts'

const island = '**/_astro/Calculator.*.js'
const rates = '**/api/rates/*'

interface Slip {
  readonly slip: Locator
  readonly country: Locator
  readonly minutes: Locator
  /** What the visitor reads beside `You pay`. */
  readonly cost: Locator
}

function slipOn(page: Page): Slip {
  const slip = page.getByRole('region', { name: 'Rate calculator' })
  return {
    slip,
    country: slip.getByLabel('Calling to'),
    minutes: slip.getByLabel('Minutes', { exact: true }),
    cost: slip.locator('output'),
  }
}

async function openSlip(page: Page): Promise<Slip> {
  await page.goto('/buy-credits#calculator')
  await page.waitForFunction(() => document.querySelector('#calculator')?.closest('astro-island:not([ssr])'))
  return slipOn(page)
}

/** Holds back the page's requests until released. */
async function hold(page: Page, pattern: string): Promise<() => void> {
  let letGo = () => {}
  const gate = new Promise<void>(open => {
    letGo = open
  })
  await page.route(pattern, async route => {
    await gate
    await route.continue()
  })
  return letGo
}

test('a visitor finds out what half an hour to India costs, and goes on to register', {
  tag: '@core',
}, async ({ page }) => {
  const { slip, country, minutes, cost } = await openSlip(page)
  await expect(country.locator('option:checked')).toHaveText('United States')
  await expect(minutes).toHaveValue('5')
  await expect(cost).toHaveText('$0.10')
  await expect(slip).toContainText('A first call there is free for 5 minutes.')
  await expect(slip).toContainText('Rates are approximate averages. Part minutes are rounded up.')

  await country.selectOption('IN')
  await expect(slip).toContainText('$0.055')
  await minutes.fill('30')
  await expect(cost).toHaveText('$1.65')
  await expect(country.locator('option:checked')).toHaveText('India')
  await expect(slip).not.toContainText('our number')
  await country.selectOption('DE')
  await expect(slip).toContainText('With our number shown; your own can add up to $0.266 a minute.')
  await country.selectOption('IN')
  await expect(slip).toContainText('$0.055')

  await slip.getByRole('link', { name: 'Call India' }).click()
  await expect(page).toHaveURL(/\/register\?next=%2Fcall%3Fcountry%3Din$/)
})

test('the landing has it too', async ({ page }) => {
  await page.goto('/')
  const { country, cost } = slipOn(page)
  await country.selectOption('IN')
  await expect(cost).toHaveText('$0.28')
})

test('a signed-in user goes straight to the dialler', async ({ page }) => {
  await signUp(page, { at: blankPage })
  const { slip, country } = await openSlip(page)
  await country.selectOption({ label: 'Dominican Republic +1829' })
  await slip.getByRole('link', { name: 'Call the Dominican Republic', exact: true }).click()
  await expect(page).toHaveURL(/\/call(\?country=do)?$/)
})

test('minutes: an empty field is allowed, below 1 is ignored, parts are charged whole', async ({ page }) => {
  const { slip, country, minutes, cost } = await openSlip(page)
  await minutes.fill('')
  await expect(cost).toHaveText('–')
  await minutes.pressSequentially('0')
  await expect(minutes).toHaveValue('')
  await minutes.pressSequentially('12')
  await expect(cost).toHaveText('$0.24')
  await minutes.fill('0.5')
  await expect(minutes).toHaveValue('12')
  await minutes.fill('2.5')
  await expect(cost).toHaveText('$0.05')
  await expect(slip).toContainText('2.5 minutes are charged as 3: $0.06.')
  await slip.getByRole('button', { name: 'One minute less' }).click()
  await expect(minutes).toHaveValue('2')
  for (let press = 0; press < 3; press += 1)
    await slip.getByRole('button', { name: 'One minute less' }).click()
  await expect(minutes).toHaveValue('1')
  await country.selectOption('CU')
  await expect(slip).toContainText('The free first call covers rates up to $0.50, so not this one.')
})

test('keeps what is entered and pressed before the script runs', async ({ page }) => {
  const letGo = await hold(page, island)
  await page.goto('/buy-credits')
  const { slip, country, minutes, cost } = slipOn(page)
  await expect(cost).toHaveText('$0.10')
  await country.selectOption('IN')
  await minutes.fill('9')
  await slip.getByRole('button', { name: 'One minute more' }).click()
  letGo()
  await expect(cost).toHaveText('$0.55')
  await expect(minutes).toHaveValue('10')
  await expect(country).toHaveValue('IN')
  await expect(slip.getByRole('link', { name: 'Call India' })).toBeVisible()
})

test('an early value below 1 is replaced by the last good one', async ({ page }) => {
  const letGo = await hold(page, island)
  await page.goto('/buy-credits')
  const { minutes, cost } = slipOn(page)
  await minutes.fill('0')
  letGo()
  await expect(minutes).toHaveValue('5')
  await expect(cost).toHaveText('$0.10')
})

test('a slow rate shows that it is on its way; a late one of another country is ignored', async ({
  page,
}) => {
  const { slip, country, cost } = await openSlip(page)
  const letGo = await hold(page, '**/api/rates/IN')
  await country.selectOption('IN')
  await expect(slip.getByText('Looking up the rate…')).toBeVisible()
  await country.selectOption('CU')
  await expect(slip).toContainText('so not this one')
  const cuba = await cost.textContent()
  letGo()
  await page.waitForTimeout(500)
  await expect(cost).toHaveText(cuba ?? '')
  await expect(slip.getByRole('link', { name: 'Call Cuba' })).toBeVisible()
})

test('a rate that cannot be read is an estimate, and healed when the connection is back', async ({
  page,
  context,
}) => {
  const { slip, country, cost } = await openSlip(page)
  await context.setOffline(true)
  await country.selectOption('IN')
  await expect(cost).toHaveText('$0.10')
  await expect(slip.getByText('You pay (estimate)')).toBeVisible()
  await expect(slip).toContainText("We couldn't get the rate just now, so this is an estimate.")
  await context.setOffline(false)
  await expect(cost).toHaveText('$0.28')
  await expect(slip.getByText('You pay (estimate)')).toBeHidden()
})

test('says so if we do not sell a destination', async ({ page }) => {
  const { slip, country, cost } = await openSlip(page)
  await page.route(rates, route => route.fulfill({ status: 404, json: {} }))
  await country.selectOption('IN')
  await expect(slip).toContainText('This destination is currently not supported.')
  await expect(cost).toHaveText('–')
  await expect(slip.getByRole('link', { name: /^Call / })).toHaveCount(0)
})

test('works with the keyboard alone, and announces everything once', async ({ page }) => {
  const { slip, country, minutes, cost } = await openSlip(page)
  const said: string[] = []
  await page.exposeFunction('heard', (text: string) => said.push(text))
  await slip
    .getByRole('status')
    .last()
    .evaluate(region => {
      const { heard } = window as unknown as { heard: (text: string) => void }
      new MutationObserver(() => heard(region.textContent ?? '')).observe(region, {
        childList: true,
        characterData: true,
        subtree: true,
      })
    })
  // The announcement waits for a pause in the typing, which a slow machine would insert by itself.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 1000)
  await country.focus()
  await page.keyboard.type('Ind')
  await expect(country).toHaveValue('IN')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(minutes).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(minutes).toHaveValue('6')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('120')
  await expect(cost).toHaveText('$6.60')
  expect(said).toEqual([])
  await page.clock.runFor(5000)
  await expect
    .poll(() => said)
    .toEqual(['120 minutes to India: $6.60. A first call there is free for 5 minutes.'])
})

test('without scripts it shows its example, and says where the rates are', async ({ browser, farline }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: farline.url })
  const page = await context.newPage()
  await page.goto('/buy-credits')
  const { slip, cost } = slipOn(page)
  await expect(cost).toHaveText('$0.10')
  await expect(slip).toContainText('Without JavaScript, this shows one example.', { useInnerText: true })
  await slip.getByRole('link', { name: 'Destinations' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await context.close()
})

test('nothing about the page keeps people out, estimate and rejection included', async ({ page }) => {
  const { country } = await openSlip(page)
  expect(await violationsEverywhere(page)).toEqual([])
  await page.route('**/api/rates/IN', route => route.abort())
  await country.selectOption('IN')
  expect(await violationsEverywhere(page)).toEqual([])
})
