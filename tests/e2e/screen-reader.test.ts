import type { Page } from 'playwright/test'
import { expect, test } from '#support/e2e.ts'
import { dial, newAddress, password, readConfirmationToken, signUp } from '#support/people.ts'
import {
  goRound,
  nameless,
  readAloud,
  readWhole,
  type Spoken,
  shownAtMs,
  spokenOn,
} from '#support/screen-reader.ts'

const lateMs = 500
/** The callee speaks first, and the user must hear who it is. */
const greetingMs = 10_000
const greetingPhraseLimit = 6

/** Presses Tab until the reader says this. */
async function tabTo(page: Page, phrase: string): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    if ((await spokenOn(page)).at(-1)?.phrase.startsWith(phrase)) return
    await page.keyboard.press('Tab')
    await page.waitForTimeout(60)
  }
  throw new Error(`Tab never leads to ${phrase}: ${JSON.stringify(await spokenOn(page))}`)
}

/** What was said since this moment of the page. */
const since = async (page: Page, atMs: number) => (await spokenOn(page)).filter(each => each.atMs >= atMs)

/** Expects that this shows, and that it is said at once. @returns when it showed */
async function expectSpoken(page: Page, text: string, phrase: string | RegExp): Promise<number> {
  const atMs = await shownAtMs(page, text)
  const is = (each: Spoken) =>
    typeof phrase === 'string' ? each.phrase === phrase : phrase.test(each.phrase)
  await page.waitForTimeout(lateMs)
  const said = (await since(page, atMs - lateMs)).filter(is)
  expect(said[0]?.atMs ?? Infinity, `${text} is said: ${JSON.stringify(await spokenOn(page))}`).toBeLessThan(
    atMs + lateMs,
  )
  return atMs
}

/** Expects that everything has a name, and that Tab goes over all of it and back. */
async function expectOperable(page: Page, state: string): Promise<void> {
  expect(await nameless(page), state).toEqual([])
  const forth = await goRound(page, 'Tab')
  const back = await goRound(page, 'Shift+Tab')
  expect([...back].sort(), state).toEqual([...forth].sort())
  expect(forth.length, state).toBeGreaterThan(2)
}

const now = (page: Page) => page.evaluate(() => performance.now())

test('somebody who sees nothing registers, calls a bank, presses its keys, hangs up and hears the receipt', async ({
  page,
  context,
  farline,
}) => {
  test.setTimeout(180_000)
  await readAloud(context)
  const email = newAddress('blind')
  await page.goto('/register')
  await tabTo(page, 'textbox, E-mail')
  await page.keyboard.type(email)
  await tabTo(page, 'Password')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/check-email*')
  await expectOperable(page, 'check your e-mail')
  expect((await readWhole(page)).join(' ')).toContain(
    'heading, Check your e-mail, level 1 paragraph We sent a link to',
  )

  await page.goto(`/verify-email#token=${await readConfirmationToken(page, email)}`)
  await page.waitForURL('**/email-verified*')
  await tabTo(page, 'link, Make your free call')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/call')
  await tabTo(page, 'button, Skip tutorial')
  await page.keyboard.press('Enter')
  await expectOperable(page, 'the dialler')

  await tabTo(page, 'textbox, Phone number')
  await page.keyboard.type('2125550100')
  await expect
    .poll(() => spokenOn(page))
    .toContainEqual(expect.objectContaining({ phrase: 'polite: $0.020 per minute, first 5 min free' }))
  const ringing = expectSpoken(page, 'Ringing', 'polite: Ringing')
  const answered = expectSpoken(page, 'In Call', 'polite: In Call')
  const [begunMs] = await Promise.all([now(page), page.keyboard.press('Enter')])
  await ringing
  const answeredMs = await answered
  await page.waitForTimeout(greetingMs)
  const said = await since(page, answeredMs - lateMs)
  const over = said.slice(said.findIndex(({ phrase }) => phrase === 'polite: In Call'))
  const heard = over.flatMap(({ phrase }) => phrase.replace(/^\w+: /, '').split(' '))
  expect(heard.length, heard.join(' ')).toBeLessThanOrEqual(greetingPhraseLimit)
  expect((await since(page, begunMs)).filter(({ phrase }) => phrase.startsWith('assertive'))).toEqual([])

  const [callId = ''] = await farline.liveCalls()
  await expectOperable(page, 'the call')
  await tabTo(page, 'button, Keypad')
  await page.keyboard.press('Enter')
  await expectOperable(page, 'the keypad')
  await tabTo(page, 'textbox, Digits to send')
  await page.keyboard.type('12#')
  await expect.poll(async () => (await farline.observe(callId))?.digits).toBe('12#')
  await tabTo(page, 'button, Mute')
  const muted = expectSpoken(page, "Muted. They can't hear you.", "polite: Muted. They can't hear you.")
  await page.keyboard.press('Enter')
  await muted
  // A shorter call would leave the free call, and the next one would cost nothing.
  await farline.advance(11_000)
  await tabTo(page, 'button, Hang up')
  const ended = expectSpoken(page, 'Call Disconnected', 'polite: Call Disconnected')
  const cost = expectSpoken(page, 'Call ended', /^polite: You hung up\. Talked \d:\d\d, free call\.$/)
  await page.keyboard.press('Enter')
  await Promise.all([ended, cost])
  await expectOperable(page, 'the call ended')

  await farline.admin('credit', email, '5', '--reason', 'an end-to-end test')
  await tabTo(page, 'button, Call again')
  const again = expectSpoken(page, 'In Call', 'polite: In Call')
  await page.keyboard.press('Enter')
  await again
  await tabTo(page, 'button, Hang up')
  const charged = expectSpoken(
    page,
    'Minutes charged',
    /^polite: You hung up\. Talked \d:\d\d, charged \$0\.0\d\.$/,
  )
  await page.keyboard.press('Enter')
  await charged
  await tabTo(page, 'link, Print receipt')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/call-receipt*')
  await expect(page.getByRole('row', { name: /^Total/ })).toBeVisible()
  await expectOperable(page, 'the receipt')
  expect((await readWhole(page)).join(' ')).toMatch(/Total.*\$0\.0\d/)
})

test('somebody who sees nothing hears that a slow call is being prepared, and what it will cost', async ({
  page,
  context,
  farline,
}) => {
  await readAloud(context)
  const email = await signUp(page)
  await farline.admin('credit', email, '5', '--reason', 'an end-to-end test')
  // The free call asks for no price.
  await dial(page, '2125550100')
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  await farline.advance(11_000)
  await page.getByRole('button', { name: 'Hang up' }).press('Enter')
  await tabTo(page, 'textbox, Phone number')
  await page.keyboard.type('+2347027123456')
  await page.route('**/api/**', async route => {
    await page.waitForTimeout(1_500)
    await route.continue()
  })
  const checkingText = 'Checking the number and its price…'
  const checking = expectSpoken(page, checkingText, `polite: ${checkingText}`)
  await page.keyboard.press('Enter')
  await checking
  await expect(page.getByRole('dialog', { name: 'Confirm the price' })).toBeVisible()
  await expect
    .poll(async () => (await spokenOn(page)).map(({ phrase }) => phrase).join())
    .toContain('dialog, Confirm the price')
  expect(await nameless(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expectOperable(page, 'the dialler')
})
