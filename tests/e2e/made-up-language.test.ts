// @covers scripts/build/languages
import { globSync, readFileSync } from 'node:fs'
import { getCountries } from 'libphonenumber-js'
import type { Page } from 'playwright/test'
import { fillFacts } from '#components/legal/facts.ts'
import { texts as diallerTexts } from '#islands/dialler/texts.ts'
import { pseudoMessage, pseudoTag } from '#scripts/build/languages/pseudo.mjs'
import { expect, test } from '#support/e2e.ts'
import { builtTags, misfits, visibleTexts } from '#support/languages.ts'
import { dial, signUp } from '#support/people.ts'

const publicPages = [
  '',
  '/destinations',
  '/calling/in',
  '/calling/us',
  '/calling/do',
  '/buy-credits',
  '/send-a-line',
  '/redeem',
  '/faq',
  '/support',
  '/blog',
  '/terms',
  '/login',
  '/register',
  '/check-email',
  '/verify-email',
  '/email-verified',
  '/forgot-password',
  '/reset-password',
  '/call',
  '/offline',
  '/404',
]
const ownPages = [
  '/call',
  '/call-history',
  '/billing-history',
  '/buy-credits',
  '/profile',
  '/referrals',
  '/heard-about',
  '/email-verified',
  '/receipt?id=1',
  '/call-receipt?id=1',
]

/**
 * What the made-up language leaves in English: countries and dates, which `Intl` names, our address, the questions, which are content,
 * and what the server says, which does not know this language.
 */
const regions = new Intl.DisplayNames('en', { type: 'region' })
const places: ReadonlySet<string> = new Set(
  getCountries()
    .map(code => regions.of(code) ?? '')
    .flatMap(name => [name, `/ ${name}`, name.toUpperCase()]),
)
const content = globSync('src/content/faq/*.md')
  .map(file => fillFacts(readFileSync(file, 'utf8')).replace(/\s+/g, ' '))
  .join(' ')
const serverTexts: ReadonlySet<string> = new Set(['Credit from support', 'Chrome on Linux'])

/** Texts of two plain words or more, without an accent or the padding of the made-up language. */
async function untranslated(page: Page): Promise<readonly string[]> {
  const texts = (await visibleTexts(page)).filter(
    ({ text, place }) =>
      /[a-z]{2,}\s+[a-z]{2,}/i.test(text.replace(/\S+@\S+/g, '')) &&
      !/[àçéîñöŕšüý~]/i.test(text) &&
      !/^(?:address|time\b.*)$/.test(place) &&
      !places.has(text) &&
      !serverTexts.has(text) &&
      !content.includes(text.replaceAll('’', "'")),
  )
  return [...new Set(texts.map(({ place, text }) => `${place}: ${text}`))]
}

/** A line of one height, which gives up its end: translations are kept short for it. */
const rateHint = pseudoMessage(diallerTexts.rateHint).slice(0, 40)

async function look(page: Page, paths: readonly string[]): Promise<readonly string[]> {
  const found: string[] = []
  for (const path of paths) {
    await page.setViewportSize({ width: 320, height: 800 })
    await page.goto(`/${pseudoTag}${path}`)
    await page.waitForLoadState('networkidle')
    for (const line of await untranslated(page)) found.push(`${path} ${line}`)
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 800 })
      for (const line of await misfits(page))
        if (!line.includes(rateHint)) found.push(`${path} ${width} ${line}`)
    }
  }
  return found
}

test.describe('@full in longer texts from right to left', () => {
  test.skip(!builtTags().includes(pseudoTag), 'The site is not built with ALL_LANGUAGES=1.')
  test.setTimeout(240_000)

  test('every public page is translated and fits narrow screens', async ({ page }) => {
    expect(await look(page, publicPages)).toEqual([])
  })

  test('so are the pages of somebody who is signed in', async ({ page, farline }) => {
    const email = await signUp(page)
    await farline.credit(email, 5)
    await dial(page, '2125550100')
    await expect(page.getByText('In Call', { exact: true })).toBeVisible()
    await farline.advance(2000)
    await page.getByRole('button', { name: 'Hang up' }).click()
    expect(await look(page, ownPages)).toEqual([])
  })
})
