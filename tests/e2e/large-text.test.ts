import type { Page } from 'playwright/test'
import { expect, test } from '#support/e2e.ts'
import { signUp } from '#support/people.ts'

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
const accountPaths = ['/', '/call-history', '/billing-history', '/referrals', '/heard-about', '/support']

/** What does not fit with text of twice the size: pages wider than the screen, and words in three pieces or more. */
async function faults(page: Page, paths: readonly string[]): Promise<readonly string[]> {
  const found: string[] = []
  for (const path of paths) {
    await page.goto(path, { waitUntil: 'networkidle' })
    // The security policy allows no style element, and what CSS says of `html` is in rem.
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%'
    })
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 800 })
      const { overflow, broken } = await page.evaluate(measure)
      if (overflow > 0) found.push(`${path} at ${width} px is ${overflow} px too wide`)
      found.push(...broken.map(word => `${path} at ${width} px breaks ${word}`))
    }
  }
  return found
}

/** Runs in the browser. */
function measure() {
  const { scrollWidth, clientWidth } = document.documentElement
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
  return { overflow: scrollWidth - clientWidth, broken }
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
