// @covers src/shared/app-install src/islands/dialler/installed-app src/layouts/service-worker.ts
import type { Page } from 'playwright/test'
import { expect, test } from '#support/e2e.ts'
import { dial, signUp } from '#support/people.ts'

// The other stories have no service worker (playwright.config.ts).
test.use({ serviceWorkers: 'allow' })

// The worker that `deploy` registers must come under the page's own policy: the browser accepts no other.
test.beforeEach(({ context }) =>
  context.addInitScript(() => {
    const { trustedTypes } = window
    if (trustedTypes === undefined) return
    const create = trustedTypes.createPolicy.bind(trustedTypes)
    Object.assign(trustedTypes, {
      createPolicy: (...policy: Parameters<typeof create>) =>
        Object.assign(window, { ownPolicy: create(...policy) }).ownPolicy,
    })
  }),
)

const offer = (page: Page) => page.getByText('A new version of Farline is ready.')

/** The page's worker runs, and answers for the page from its next visit on. */
async function awaitWorker(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  await page.reload()
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
}

/** As after a deploy: the pages are of a dialler of another name than the newest worker, which waits. */
async function deploy(...pages: Page[]): Promise<void> {
  for (const page of pages)
    await page
      .locator('astro-island[component-url*="Dialler"]')
      .evaluate(island => island.setAttribute('component-url', '/_astro/Dialler.before.js'))
  // Another address is another worker to the browser, of the same bytes or not.
  await pages[0]?.evaluate(async () => {
    const { ownPolicy } = window as typeof window & { ownPolicy?: { createScriptURL(url: string): string } }
    await navigator.serviceWorker.register(ownPolicy?.createScriptURL('/sw.js?another') ?? '')
  })
}

test('without a connection a page says that the line is down, and comes back by itself', async ({
  page,
  context,
}) => {
  await page.goto('/call')
  await awaitWorker(page)
  await context.setOffline(true)
  await page.goto('/profile')
  await expect(page.getByRole('heading', { name: 'The line is down' })).toBeVisible()
  await expect(page.getByText("You're offline.")).toBeVisible()
  await expect(page).toHaveURL(/\/profile$/)
  await expect
    .poll(() => page.locator('.lost img').evaluate(image => (image as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0)
  // Its load, if still on its way, would take the place of the next page.
  const triedAgain = page.waitForEvent('load')
  await page.getByRole('button', { name: 'Try again' }).click()
  await triedAgain
  await expect(page.getByRole('heading', { name: 'The line is down' })).toBeVisible()
  await page.goto('/call?number=%2B442079460958')
  await expect(page.getByRole('heading', { name: 'The line is down' })).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByRole('textbox', { name: 'Phone number' })).toHaveValue(/20 ?7946 ?0958/)
  // Nothing but the offline page and what it shows is kept.
  const kept = await page.evaluate(async () => {
    const names = await caches.keys()
    const lists = await Promise.all(names.map(async name => (await caches.open(name)).keys()))
    return lists.flat().map(({ url }) => new URL(url).pathname)
  })
  expect(kept.filter(path => !/^\/(?:offline|fonts\/|art\/)/.test(path))).toEqual([])
  expect(kept).toContain('/offline')
})

test('the browser finds nothing that keeps the site from being installed', async ({ page, context }) => {
  await page.goto('/call')
  const session = await context.newCDPSession(page)
  const { errors, data } = await session.send('Page.getAppManifest')
  expect(errors).toEqual([])
  expect(JSON.parse(data ?? '{}')).toMatchObject({ start_url: '/call', display: 'standalone' })
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
  // A context of tests is a private one, in which nothing is installed.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
})

test('offers a new version after the call, not in it, and installs it when the user accepts', async ({
  page,
  context,
}) => {
  await signUp(page)
  await awaitWorker(page)
  const other = await context.newPage()
  await other.goto('/call')
  await dial(page, '2125550100')
  await expect(page.getByText('In Call', { exact: true })).toBeVisible({ timeout: 20_000 })
  await deploy(page, other)

  // The other tab has no call: it is notified, reloads once, and the call continues.
  await expect(offer(other)).toBeVisible()
  await expect(offer(page)).toBeHidden()
  let loads = 0
  other.on('load', () => {
    loads += 1
  })
  await other.getByRole('button', { name: 'Reload' }).click()
  await expect.poll(() => loads).toBe(1)
  await expect
    .poll(() =>
      other.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.scriptURL ?? ''),
    )
    .toMatch(/\?another$/)
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  await page.waitForTimeout(1000)
  expect(loads).toBe(1)
  await expect(offer(page)).toBeHidden()

  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(offer(page)).toBeVisible()
  await page.getByRole('button', { name: 'Later' }).click()
  await expect(offer(page)).toBeHidden()
})

for (const [device, standalone] of [
  ['an iPhone', true],
  ['another device', undefined],
] as const) {
  test(`on ${device} the installed app says before a call ${standalone ? 'to stay in it, and no page offers installation' : 'nothing, and the profile offers installation'}`, async ({
    page,
  }) => {
    await page.addInitScript(is => {
      if (is !== undefined) Object.assign(navigator, { standalone: is })
    }, standalone)
    await signUp(page)
    const warning = page.getByText(
      'Your mic may stop when you leave this app. Stay in it, or call from Safari.',
    )
    const number = page.getByRole('textbox', { name: 'Phone number' })
    // The part that says so has loaded once the number is recognised.
    await number.fill('2125550100')
    await expect(page.getByText(/per minute|free/i).first()).toBeVisible()
    await expect(warning).toHaveCount(standalone ? 1 : 0)

    await page.goto('/profile')
    await page.evaluate(() => window.dispatchEvent(new Event('beforeinstallprompt', { cancelable: true })))
    await expect(page.getByRole('button', { name: 'Open phone links here' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Install Farline' })).toHaveCount(standalone ? 0 : 1)
  })
}

test('the dialler keeps back the bar with which the browser offers to install it', async ({ page }) => {
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  await page.goto('/call')
  const offer = () =>
    page.evaluate(() => window.dispatchEvent(new Event('beforeinstallprompt', { cancelable: true })))
  await expect.poll(offer).toBe(false)
  expect(errors).toEqual([])
})
