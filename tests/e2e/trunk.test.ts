// @covers server/telephony/trunk
// @real-time
import type { Page } from 'playwright/test'
import type { KeyInput } from 'puppeteer-core'
import { resolveAddress } from '#server/telephony/exchange/media/own-address.ts'
import { toneLoop } from '#server/telephony/exchange/media/tones.ts'
import { expect } from '#support/e2e.ts'
import { launchFirefox, listenInFirefox, selectors, whyNoFirefox } from '#support/firefox.ts'
import { listen, observePeers } from '#support/page-audio.ts'
import { blankPage, dial, signUp } from '#support/people.ts'
import type { TestServer } from '#support/test-server.ts'
import { startTrunkLab } from '#support/trunk/lab.ts'
import { overTrunks } from '#support/trunk/story.ts'
import { openTelephone } from '#support/trunk/telephone.ts'

/** Each country is sold by other carriers. */
const test = overTrunks(async () => {
  const telephone = await openTelephone()
  const answers = { kind: 'answers', mediaPort: telephone.port } as const
  const lab = await startTrunkLab(
    [
      { name: 'american', behaviour: answers, sells: { 1: 4000 } },
      { name: 'silent', behaviour: { kind: 'silent' }, sells: { 44: 3000 } },
      { name: 'british', behaviour: answers, sells: { 44: 4000 } },
    ],
    // For Firefox (ADR-47).
    { mediaAddress: resolveAddress({ bound: undefined, ports: undefined }).advertised },
  )
  return {
    ...{ lab, telephone },
    close: async () => {
      await lab.close()
      await telephone.close()
    },
  }
})

// The server's clock is moved in some calls here, and the edge's is not.
test.use({ expectedErrors: [/the edge recorded another length of a call/] })

const american = '+1 212 555 0100'
const inCall = (page: Page) => page.getByText('In Call', { exact: true })
/** Of mu-law: above a quarter of full scale. */
const isLoud = (frame: Buffer) => frame.some(octet => (~octet & 0x7f) >= 0x60)
const isSound = (frame: Buffer) => frame.some(octet => (~octet & 0x7f) >= 0x20)
const tone = toneLoop({ frequenciesHz: [1004], dbm0: -10 })

async function signUpWithCredit(page: Page, farline: TestServer, usd: string): Promise<void> {
  const email = await signUp(page)
  await farline.credit(email, Number(usd))
  await page.reload()
}

/** Talks for this long by the server's clock, then hangs up. */
async function holdCall(page: Page, farline: TestServer, ms: number): Promise<void> {
  await dial(page, american)
  await expect(inCall(page)).toBeVisible()
  await farline.advance(ms)
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText('Call Disconnected')).toBeVisible()
}

test('a call over a trunk is heard both ways and takes keys', async ({ page, trunk }) => {
  const { lab, telephone } = trunk
  await signUp(page)
  await dial(page, american)
  await expect(inCall(page)).toBeVisible()
  const [invitation = ''] = lab.carrier('american').invitations()
  expect(invitation).toContain('INVITE sip:+12125550100@')
  telephone.speak(invitation, tone)
  await expect(async () => {
    const heard = await listen(page)
    expect(Math.abs(heard.hz - 1004)).toBeLessThan(8)
    expect(heard.rms).toBeGreaterThan(0.01)
  }).toPass()
  // The browser's microphone beeps.
  await expect.poll(() => telephone.heard.some(isLoud)).toBe(true)
  await page.getByRole('button', { name: 'Keypad' }).click()
  for (const key of '1590#') await page.keyboard.press(key)
  await expect.poll(() => telephone.digits.join('')).toBe('1590#')
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText('Call Disconnected')).toBeVisible()
  await expect.poll(() => lab.carrier('american').count('BYE')).toBe(1)
})

test('a call from Firefox over a trunk is heard both ways and takes keys', async ({
  page,
  farline,
  trunk,
}) => {
  test.skip(whyNoFirefox() !== undefined, whyNoFirefox())
  await signUp(page)
  const token = await page.evaluate(() => localStorage.getItem('token') ?? '')
  const { lab, telephone } = trunk
  const before = lab.carrier('american').invitations().length
  const browser = await launchFirefox()
  const firefox = await browser.newPage()
  await firefox.evaluateOnNewDocument(observePeers)
  await firefox.goto(farline.url + blankPage)
  await firefox.evaluate(given => {
    localStorage.setItem('token', given)
    localStorage.setItem('wizardPreferences', JSON.stringify({ hasSeenWizard: true }))
  }, token)
  await firefox.goto(`${farline.url}/call`)
  await firefox.locator(selectors.field('Phone number')).fill(american)
  await firefox.locator(selectors.button('Call')).click()
  await firefox.locator(selectors.text('In Call')).wait()
  telephone.speak(lab.carrier('american').invitations()[before] ?? '', tone)
  await expect(async () => {
    const heard = await listenInFirefox(firefox)
    expect(Math.abs(heard.hz - 1004)).toBeLessThan(8)
    expect(heard.rms).toBeGreaterThan(0.01)
  }).toPass()
  // Its microphone is a tone.
  const heardBefore = telephone.heard.length
  await expect.poll(() => telephone.heard.slice(heardBefore).some(isSound)).toBe(true)
  const digitsBefore = telephone.digits.length
  await firefox.locator(selectors.button('Keypad')).click()
  for (const key of '159') await firefox.keyboard.press(key as KeyInput)
  await expect.poll(() => telephone.digits.slice(digitsBefore).join('')).toBe('159')
  await firefox.locator(selectors.button('Hang up')).click()
  await expect.poll(() => farline.liveCalls()).toEqual([])
  await browser.close()
})

test('a call over a trunk is charged to the minute, ends with the credit, and has a receipt', async ({
  page,
  farline,
}) => {
  await signUpWithCredit(page, farline, '0.05')
  // The free call.
  await holdCall(page, farline, 11_000)
  await holdCall(page, farline, 10_000)
  await expect(page.getByText('Balance: $0.03')).toBeVisible()
  await dial(page, american)
  await expect(inCall(page)).toBeVisible()
  await farline.advance(61_000)
  await expect(page.getByText('Call Disconnected')).toBeVisible()
  await expect(page.getByText('Balance: $0.01')).toBeVisible()
  await page.goto('/call-history')
  const rows = page.getByRole('row').filter({ hasText: '212 555 0100' })
  await expect(rows.nth(0)).toContainText('$0.02')
  await rows
    .nth(0)
    .getByRole('link', { name: /^Receipt for/ })
    .click()
  await expect(page.getByRole('heading', { name: 'Call receipt' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('$0.02')
})

test('killing the first carrier in the middle of placing moves the call to the second', async ({
  page,
  farline,
  trunk,
}) => {
  const { lab } = trunk
  await signUpWithCredit(page, farline, '5')
  await dial(page, '+44 20 7183 8750')
  await expect.poll(() => lab.carrier('silent').invitations().length).toBeGreaterThan(0)
  await lab.carrier('silent').kill()
  const killedAt = performance.now()
  await expect(inCall(page)).toBeVisible()
  expect(performance.now() - killedAt).toBeLessThan(3000)
  expect(lab.carrier('british').invitations()).toHaveLength(1)
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText('Call Disconnected')).toBeVisible()
})
