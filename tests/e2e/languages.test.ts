// @covers src/languages src/lib/i18n
import type { Page } from 'playwright/test'
import { suggestion } from '#components/language-suggestion-texts.ts'
import { frame } from '#components/texts.ts'
import { texts as loginTexts } from '#islands/account/sign-in/login-texts.ts'
import { signUp as sheetTexts } from '#islands/calculator/sign-up-texts.ts'
import { texts as calculatorTexts } from '#islands/calculator/texts.ts'
import { texts as endedTexts } from '#islands/dialler/call-ended/texts.ts'
import { texts as diallerTexts, statusTexts } from '#islands/dialler/texts.ts'
import { callReceipt } from '#islands/receipt/call-receipt-texts.ts'
import { autonymOf } from '#lib/i18n/autonym.ts'
import { isRightToLeft } from '#lib/i18n/direction.ts'
import { textsIn } from '#lib/i18n/messages.ts'
import { pathIn } from '#lib/i18n/path.ts'
import { pseudoTag } from '#scripts/build/languages/pseudo.mjs'
import { texts as signUpTexts } from '#shared/sign-up/texts.ts'
import { violationsEverywhere } from '#support/axe.ts'
import { expect, test } from '#support/e2e.ts'
import { builtTags, englishIn, englishOn, misfits } from '#support/languages.ts'
import { newAddress, password } from '#support/people.ts'
import { texts as formTexts } from '#ui/form-texts.ts'

interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** The first mail to an address that has a text. */
async function readMail(page: Page, email: string, contained: RegExp): Promise<Mail> {
  let mail: Mail | undefined
  await expect(async () => {
    const inbox: Mail[] = await (await page.request.get('/dev/inbox.json')).json()
    mail = inbox.find(({ to, text }) => to === email && contained.test(text))
    expect(mail).toBeDefined()
  }).toPass()
  return mail as Mail
}

/** No English word, and nothing that a narrow phone cuts off. */
async function expectWhole(page: Page, tag: string): Promise<void> {
  expect.soft(await englishOn(page, tag)).toEqual([])
  const size = page.viewportSize()
  await page.setViewportSize({ width: 320, height: 800 })
  expect.soft(await misfits(page), `${page.url()} at 320 px`).toEqual([])
  if (size !== null) await page.setViewportSize(size)
}

const otherPages = [
  '/calling/us',
  '/buy-credits',
  '/send-a-line',
  '/redeem',
  '/support',
  '/blog',
  '/login',
  '/forgot-password',
  '/reset-password',
  '/offline',
]

for (const tag of ['es', 'ar']) {
  test.describe(`in ${tag}`, () => {
    test('nobody meets an English word between the landing page and the receipt', async ({
      page,
      farline,
    }) => {
      test.setTimeout(180_000)
      const calculator = textsIn(calculatorTexts, tag)
      const dialler = textsIn(diallerTexts, tag)
      const form = textsIn(formTexts, tag)
      const ended = textsIn(endedTexts, tag)
      const status = textsIn(statusTexts, tag)
      const number = '+1 212 555 0100'
      const email = newAddress(tag)
      const main = page.getByRole('main')

      await page.goto(`/${tag}`)
      await expect(page.locator('html')).toHaveCSS('direction', isRightToLeft(tag) ? 'rtl' : 'ltr')
      await page.getByRole('textbox', { name: calculator.numberToCall }).fill('+1 (212) 555-0100')
      const call = page.getByRole('link', { name: calculator.call({ callee: number }) })
      await expect(call).toBeVisible()
      await expectWhole(page, tag)
      await call.click()
      const sheet = page.getByRole('dialog', { name: textsIn(sheetTexts, tag).title })
      await sheet.getByLabel(form.email).fill(email)
      await sheet.getByLabel(form.password, { exact: true }).fill(password)
      await expectWhole(page, tag)
      await sheet.getByRole('button', { name: textsIn(signUpTexts, tag).register, exact: true }).click()
      await expect(main).toContainText(email)
      await expect(page).toHaveURL(new RegExp(`/${tag}/check-email$`))
      await expectWhole(page, tag)

      const mail = await readMail(page, email, /\/verify-email#token/)
      expect.soft(englishIn(`${mail.subject}\n${mail.text}`, tag)).toEqual([])
      const [link = ''] = /\S*\/verify-email#token=[\w-]+/.exec(mail.text) ?? []
      await page.goto(link)
      await expect(page).toHaveURL(new RegExp(`/${tag}/call$`))
      await expect(page.getByText(dialler.freeCallAvailable)).toBeVisible()
      await expect(page.getByRole('textbox', { name: dialler.phoneNumber })).toHaveValue('+12125550100')
      await page.waitForLoadState('networkidle')
      await expectWhole(page, tag)

      await page.getByRole('button', { name: dialler.call, exact: true }).click()
      await expect(page.getByText(status.inCall, { exact: true })).toBeVisible()
      await expectWhole(page, tag)
      await farline.advance(11_000)
      await page.getByRole('button', { name: dialler.hangUp }).click()
      const card = page.getByRole('region', { name: ended.title })
      await expect(card).toContainText(ended.freeCall)
      await expectWhole(page, tag)
      await card.getByRole('link', { name: ended.print }).click()
      await expect(main).toContainText(textsIn(callReceipt, tag).freeFirstCall)
      await expectWhole(page, tag)

      for (const path of ['/call-history', '/billing-history', '/profile', '/referrals']) {
        await page.goto(`/${tag}${path}`)
        await page.waitForLoadState('networkidle')
        await expectWhole(page, tag)
      }
    })

    test('who pays reads no English on the way, nor in the mail of the receipt', async ({ page }) => {
      const email = await signUpIn(page, tag)
      await page.goto(`/${tag}/buy-credits?amount=50`)
      await page.waitForLoadState('networkidle')
      await expectWhole(page, tag)
      await page.locator('form button[type=submit]').click()
      await page.getByRole('radio', { name: 'succeeds', exact: true }).check({ force: true })
      await page.getByRole('button', { name: /^Pay \$/ }).click()
      await page.waitForURL(`**/${tag}/call*`)
      await page.waitForLoadState('networkidle')
      await expectWhole(page, tag)
      const mail = await readMail(page, email, /\/receipt\?/)
      expect.soft(englishIn(`${mail.subject}\n${mail.text}`, tag)).toEqual([])
      const [link = ''] = /\S*\/receipt\?\S+/.exec(mail.text) ?? []
      await page.goto(link)
      await expect(page).toHaveURL(new RegExp(`/${tag}/receipt`))
      await page.waitForLoadState('networkidle')
      await expectWhole(page, tag)
    })

    test('nothing keeps people out', async ({ page }) => {
      test.setTimeout(180_000)
      await expectOpenToAll(page, tag)
    })

    test('the other pages have no English word and fit a phone', async ({ page }) => {
      for (const path of otherPages) {
        await page.goto(`/${tag}${path}`)
        await page.waitForLoadState('networkidle')
        await expectWhole(page, tag)
      }
    })
  })
}

for (const tag of builtTags().filter(tag => !['es', 'ar', pseudoTag].includes(tag)))
  test(`@full in ${tag} nothing keeps people out, and nobody meets an English word`, async ({ page }) => {
    await expectOpenToAll(page, tag)
  })

async function expectOpenToAll(page: Page, tag: string): Promise<void> {
  const expectOpen = async (path: string) => {
    await page.goto(`/${tag}${path}`)
    await page.waitForLoadState('networkidle')
    await expectWhole(page, tag)
    expect.soft(await violationsEverywhere(page)).toEqual([])
  }
  for (const path of ['', '/destinations', '/calling/in', '/faq', '/register']) await expectOpen(path)
  await signUpIn(page, tag)
  for (const path of ['/call', '/profile']) await expectOpen(path)
}

/** Registers and confirms as the pages of a language do. */
async function signUpIn(page: Page, tag: string): Promise<string> {
  const email = newAddress(tag.toLowerCase())
  const headers = { 'accept-language': tag }
  await page.request.post('/api/auth/register', { data: { email, password }, headers })
  const { text } = await readMail(page, email, /\/verify-email#token/)
  const token = /verify-email#token=([\w-]+)/.exec(text)?.[1]
  await page.request.post('/api/auth/verify-email', { data: { token }, headers })
  await page.goto(pathIn(tag, '/login'))
  const form = textsIn(formTexts, tag)
  await page.getByLabel(form.email).fill(email)
  await page.getByLabel(form.password, { exact: true }).fill(password)
  await page
    .getByRole('main')
    .getByRole('button', { name: textsIn(loginTexts, tag).login, exact: true })
    .click()
  await page.waitForURL(`**${pathIn(tag, '/call')}`)
  return email
}

test.describe('languages', () => {
  for (const width of [390, 1280]) {
    test(`the switch leads to the same page in another language, at ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height: 800 })
      await page.goto('/faq')
      const place = page.getByRole(width === 390 ? 'banner' : 'contentinfo')
      const open = async (language: string) => {
        if (width === 390) await place.getByLabel(textsIn(frame, language).menu).click()
        await place
          .locator('.languages summary')
          .filter({ hasText: autonymOf(language) })
          .click()
      }
      await open('en')
      await place.getByRole('link', { name: autonymOf('es'), exact: true }).click()
      await expect(page).toHaveURL(/\/es\/faq$/)
      await expect(page.locator('html')).toHaveAttribute('lang', 'es')
      await open('es')
      await place.getByRole('link', { name: 'English', exact: true }).click()
      await expect(page).toHaveURL(/[^s]\/faq$/)
      // The choice is remembered over the language of the browser.
      expect(await page.evaluate(() => localStorage.getItem('language'))).toBe('en')
    })
  }

  test('a language chosen on the profile is kept, and the account speaks it', async ({ page }) => {
    await signUpIn(page, 'en')
    await page.goto('/profile')
    const known = page.waitForResponse(response => response.url().endsWith('/api/protected/me'))
    await page
      .getByRole('main')
      .getByRole('link', { name: autonymOf('es'), exact: true })
      .click()
    await expect(page).toHaveURL(/\/es\/profile$/)
    await known
    await expect.poll(() => page.evaluate(() => localStorage.getItem('language'))).toBe('es')
  })

  test.describe('for a browser in Spanish', () => {
    test.use({ locale: 'es-MX' })
    const { read, dismiss } = textsIn(suggestion, 'es')

    test('the English pages offer Spanish until it is declined', async ({ page }) => {
      await page.goto('/faq')
      const offer = page.getByRole('complementary').filter({ hasText: read })
      await expect(offer.getByRole('link', { name: read })).toHaveAttribute('href', /\/es\/faq$/)
      expect(await violationsEverywhere(page)).toEqual([])
      await offer.getByRole('button', { name: dismiss }).click()
      await expect(offer).toHaveCount(0)
      await page.goto('/')
      await page.waitForLoadState('networkidle')
      await expect(offer).toHaveCount(0)
    })

    test('who follows it is offered nothing more, and is offered Spanish again elsewhere', async ({
      page,
    }) => {
      await page.goto('/')
      await page.getByRole('link', { name: read }).click()
      await expect(page).toHaveURL(/\/es$/)
      await page.waitForLoadState('networkidle')
      await expect(page.locator('.suggestion')).toHaveCount(0)
      await page.goto('/faq')
      await expect(page.getByRole('link', { name: read })).toBeVisible()
    })
  })
})

test('letters that are joined are not drawn apart, and their headings have room', async ({ page }) => {
  await page.goto('/')
  // Islands have begun: they would read the other language.
  await page.waitForLoadState('networkidle')
  for (const tag of ['ar', 'ur', 'hi', 'bn']) {
    const { apart, tight } = await page.evaluate(
      ([lang, dir]) => {
        Object.assign(document.documentElement, { lang, dir })
        const all = [...document.body.querySelectorAll('*')].map(element => ({
          name: `${element.localName}.${element.classList}`,
          style: getComputedStyle(element),
        }))
        return {
          apart: all
            .filter(({ style }) => !['normal', '0px'].includes(style.letterSpacing))
            .map(({ name }) => name),
          tight: all
            .filter(
              ({ name, style }) =>
                /^h[12]\./.test(name) && parseFloat(style.lineHeight) < 1.29 * parseFloat(style.fontSize),
            )
            .map(({ name }) => name),
        }
      },
      [tag, isRightToLeft(tag) ? 'rtl' : 'ltr'],
    )
    expect([apart, tight], tag).toEqual([[], []])
  }
})
