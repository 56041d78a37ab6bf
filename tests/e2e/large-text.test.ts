// @covers src/styles
import type { Page } from 'playwright/test'
import { expect, test } from '#support/e2e.ts'
import { dial, saveNumber, signUp } from '#support/people.ts'

const publicPaths = [
  '/',
  '/destinations',
  '/calling/in',
  '/calling/do',
  '/calling/us',
  '/faq',
  '/support',
  '/terms',
  '/privacy',
  '/refunds',
  '/cookies',
  '/fair-use',
  '/complaints',
  '/emergency-calls',
  '/api/docs',
  '/blog',
  '/blog/tags/dialling',
  '/blog/why-a-leading-zero-breaks-an-international-number',
  '/blog/what-a-call-abroad-really-costs',
  '/blog/when-to-ring-a-short-guide-to-time-zones',
  '/login',
  '/register',
  '/check-email',
  '/verify-email',
  '/email-verified',
  '/forgot-password',
  '/reset-password/an-old-one',
  '/offline',
  '/receipt',
  '/call-receipt',
  '/nowhere',
  '/dev/checkout',
  '/dev/google',
  '/dev/handset',
  '/dev/inbox',
  '/dev/letters',
  '/dev/review',
]
const accountPaths = [
  '/',
  '/call',
  '/profile',
  '/buy-credits',
  '/call-history',
  '/billing-history',
  '/referrals',
  '/heard-about',
  '/support',
]

/** What does not fit with text of twice the size: pages wider than the screen, and words in three pieces or more. */
async function faults(page: Page, paths: readonly string[]): Promise<readonly string[]> {
  const found: string[] = []
  for (const path of paths) {
    await page.goto(path, { waitUntil: 'networkidle' })
    found.push(...(await faultsHere(page, path)))
  }
  return found
}

/** The browser's own setting. A style of `html` would leave media queries in rem as they were. */
async function enlargeText(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
  await devTools.detach()
}

/** The same of what is on the screen now. */
async function faultsHere(page: Page, name: string): Promise<readonly string[]> {
  await enlargeText(page)
  const found: string[] = []
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 800 })
    const { overflow, broken } = await page.evaluate(measure)
    if (overflow > 0) found.push(`${name} at ${width} px is ${overflow} px too wide`)
    found.push(...broken.map(word => `${name} at ${width} px breaks ${word}`))
  }
  return found
}

/** Runs in the browser. */
function measure() {
  const scrollers = [document.documentElement, ...document.querySelectorAll('main, dialog[open]')]
  const overflow = Math.max(...scrollers.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))
  const broken: string[] = []
  const texts = document.createTreeWalker(
    document.querySelector('main') ?? document.body,
    NodeFilter.SHOW_TEXT,
  )
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    // Addresses and code have no words; the letters of a postmark run along its ring.
    if (text.parentElement?.closest('svg, code, pre')) continue
    for (const { 0: word, index } of text.textContent?.matchAll(/(?<![\w@.-])\p{L}{3,}(?![\w@.-])/gu) ?? []) {
      const range = document.createRange()
      range.setStart(text, index)
      range.setEnd(text, index + word.length)
      const lines = new Set(
        [...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => top),
      )
      if (lines.size > 2) broken.push(word)
    }
  }
  return { overflow, broken }
}

test('no public page is wider than a phone with text of twice the size, and no word falls apart', async ({
  page,
}) => {
  test.setTimeout(180_000)
  expect(await faults(page, publicPaths)).toEqual([])
})

test('neither is a page of somebody who is signed in', async ({ page }) => {
  await signUp(page)
  expect(await faults(page, accountPaths)).toEqual([])
})

test('nor the dialler: people, a call with and without the keypad, and the receipt after it', async ({
  page,
}) => {
  test.setTimeout(90_000)
  await signUp(page)
  await saveNumber(page, '2125550100', 'Grandmother Wilhelmina')
  const found = [...(await faultsHere(page, 'people'))]
  await page.setViewportSize({ width: 390, height: 800 })
  await dial(page, '2125550100')
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  found.push(...(await faultsHere(page, 'in a call')))
  await page.getByRole('button', { name: 'Keypad' }).click()
  found.push(...(await faultsHere(page, 'the keypad in a call')))
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByRole('heading', { name: /Call ended/ })).toBeVisible()
  found.push(...(await faultsHere(page, 'the receipt')))
  await page.setViewportSize({ width: 390, height: 800 })
  expect(found).toEqual([])
})

test('nor the operators’ page', async ({ page, farline }) => {
  const [link = ''] = (await farline.admin('ops-link', '--as', 'Anna')).split('\n')
  await page.goto(link)
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('For operators')
  expect(await faultsHere(page, '/ops')).toEqual([])
})
