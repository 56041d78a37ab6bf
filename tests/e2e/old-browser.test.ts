// @covers src/layouts
import type { Page } from 'playwright/test'
import { violations } from '#support/axe.ts'
import { expect, test } from '#support/e2e.ts'

const tooOld = 'This browser is too old for calls. Update it, then reload the page.'

// The styles are not those that the page's policy knows.
test.use({ bypassCSP: true })

/** From here on the page is what a browser without `light-dark()` sees: the name becomes one that no browser knows. */
async function forgetColours(page: Page): Promise<void> {
  await page.route('**/*', async route => {
    if (!['document', 'stylesheet'].includes(route.request().resourceType())) return route.fallback()
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replaceAll('light-dark(', 'lit-unlit(') })
  })
}

test('a browser that is too old says so at the dialler, and no other does', async ({ page }) => {
  await page.goto('/call')
  await expect(page.getByRole('group', { name: 'Keypad' })).toBeVisible()
  await expect(page.getByText(tooOld)).toBeHidden()
  await forgetColours(page)
  await page.goto('/call')
  await expect(page.getByText(tooOld)).toBeInViewport()
})

for (const path of [
  '/',
  '/calling/in',
  '/faq',
  '/blog/why-a-leading-zero-breaks-an-international-number',
  '/call',
]) {
  test(`${path} can be read in a browser that is too old for its colours`, async ({ page }) => {
    await forgetColours(page)
    await page.goto(path)
    const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    expect(paper).toBe('rgba(0, 0, 0, 0)')
    expect(await violations(page)).toEqual([])
  })
}
