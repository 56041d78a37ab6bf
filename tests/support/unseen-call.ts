import type { Page } from 'playwright/test'
import { expect } from './e2e.ts'
import { newAddress, password, readConfirmationToken } from './people.ts'
import { focusedName, goRound, nameless, type Spoken, shownAtMs } from './screen-reader.ts'
import type { TestServer } from './test-server.ts'

/** A screen reader whose speech is read instead of heard. */
export interface ScreenReader {
  /** From a change on the screen to its speech. */
  readonly lateMs: number
  /** What it said, at least since this page was loaded. */
  spoken(page: Page): Promise<readonly Spoken[]>
  /** The text of a live region in what it said; undefined for anything else. */
  announced(phrase: string): string | undefined
  /** It broke off what it was saying for this. */
  interrupts(phrase: string): boolean
  /** Waits until it has begun to read out a page that was loaded, or has read this. */
  arrive(page: Page, text?: RegExp): Promise<void>
  /** The keys by which it goes round each page. */
  readonly rounds: readonly ('Tab' | 'Shift+Tab')[]
  /** Brings the focus back to the page, which it left with a key pressed at this time. */
  comeBack(page: Page, atMs: number): Promise<void>
}

/** The callee speaks first, and the user must hear who it is. */
const greetingMs = 10_000
const greetingWordLimit = 6

const bare = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, '')

/** What somebody does and hears who sees nothing. */
export function listenWith(reader: ScreenReader, page: Page) {
  const since = async (atMs: number) => (await reader.spoken(page)).filter(each => each.atMs >= atMs)

  /** Expects that the focused element's name was said. @returns it */
  async function expectFocusSaid(atMs: number): Promise<string> {
    const name = await focusedName(page)
    if (name === undefined) return ''
    expect(bare(name)).not.toBe('')
    const said = async () => (await since(atMs)).map(({ phrase }) => bare(phrase)).join(' ')
    await expect.poll(said, { message: `${name} is said`, timeout: 5_000 }).toContain(bare(name))
    return name
  }

  async function press(key: 'Tab' | 'Shift+Tab'): Promise<string> {
    const atMs = Date.now()
    await page.keyboard.press(key)
    const name = await expectFocusSaid(atMs)
    if (name === '') await reader.comeBack(page, atMs)
    return name
  }

  return {
    since,

    /** Presses Tab until the reader says this name. */
    async tabTo(name: string): Promise<void> {
      if ((await focusedName(page))?.startsWith(name)) {
        await expectFocusSaid(await page.evaluate(() => performance.timeOrigin))
        return
      }
      for (let presses = 0; presses < 80; presses += 1) {
        const at = await press('Tab')
        if (at.startsWith(name)) return
      }
      throw new Error(`Tab never leads to ${name}: ${JSON.stringify(await reader.spoken(page))}`)
    },

    /** Expects that this shows, and that it is said at once. @returns when it showed */
    async expectSpoken(shown: string, text: string | RegExp): Promise<number> {
      const atMs = await shownAtMs(page, shown)
      const find = async () =>
        (await since(atMs - 500)).find(({ phrase }) => {
          const announced = reader.announced(phrase)
          return typeof text === 'string' ? announced === text : text.test(announced ?? '')
        })
      await expect
        .poll(find, { message: `${text} is said: ${JSON.stringify(await since(atMs - 500))}` })
        .toBeDefined()
      const lateMs = ((await find())?.atMs ?? Infinity) - atMs
      console.log(`  ${shown}: said after ${Math.round(lateMs)} ms`)
      expect(lateMs, `${text} is said in time`).toBeLessThan(reader.lateMs)
      return atMs
    },

    /** Expects that everything has a name, that Tab goes over all of it, and that each name is said. */
    async expectOperable(state: string): Promise<void> {
      expect(await nameless(page), state).toEqual([])
      const rounds: (readonly string[])[] = []
      for (const key of reader.rounds)
        rounds.push(
          await goRound(page, key, async () => {
            await press(key)
          }),
        )
      const [forth = [], back = forth] = rounds
      expect([...back].sort(), state).toEqual([...forth].sort())
      expect(forth.length, state).toBeGreaterThan(2)
    },
  }
}

/** Registers, calls a bank, presses its keys, hangs up, calls again and reads the receipt. */
export async function callBankUnseen(page: Page, farline: TestServer, reader: ScreenReader): Promise<void> {
  const { since, tabTo, expectSpoken, expectOperable } = listenWith(reader, page)
  const email = newAddress('blind')
  await page.goto('/register')
  await reader.arrive(page)
  await tabTo('E-mail')
  await page.keyboard.type(email)
  await tabTo('Password')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/check-email*')
  await expect(page.getByText('We sent a link to')).toBeVisible()
  await reader.arrive(page, /Check your e-mail,? (heading )?level 1 .*We sent a link to/)
  await expectOperable('check your e-mail')

  await page.goto(`/verify-email#token=${await readConfirmationToken(page, email)}`)
  await page.waitForURL('**/email-verified*')
  await reader.arrive(page)
  await tabTo('Make your free call')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/call')
  // It opens a moment after the page, and takes the focus with it.
  await expect(page.getByRole('button', { name: 'Skip tutorial' })).toBeVisible()
  await reader.arrive(page)
  await tabTo('Skip tutorial')
  await page.keyboard.press('Enter')
  // The reader is back at the page's top, and says so.
  await page.waitForTimeout(1_000)
  await expectOperable('the dialler')

  await tabTo('Phone number')
  await page.keyboard.type('2125550100')
  await expect
    .poll(async () => (await reader.spoken(page)).map(({ phrase }) => reader.announced(phrase)))
    .toContain('$0.020 per minute, first 5 min free')
  const ringing = expectSpoken('Ringing', 'Ringing')
  const answered = expectSpoken('In Call', 'In Call')
  const begunMs = Date.now()
  await page.keyboard.press('Enter')
  await ringing
  const answeredMs = await answered
  await page.waitForTimeout(greetingMs)
  const said = await since(answeredMs - 500)
  const over = said.slice(said.findIndex(({ phrase }) => reader.announced(phrase) === 'In Call'))
  const heard = over.flatMap(({ phrase }) => (reader.announced(phrase) ?? phrase).split(' '))
  expect(heard.length, heard.join(' ')).toBeLessThanOrEqual(greetingWordLimit)
  expect((await since(begunMs)).filter(({ phrase }) => reader.interrupts(phrase))).toEqual([])

  const [callId = ''] = await farline.liveCalls()
  await expectOperable('the call')
  await tabTo('Keypad')
  await page.keyboard.press('Enter')
  await expectOperable('the keypad')
  await tabTo('Digits to send')
  await page.keyboard.type('12#')
  await expect.poll(async () => (await farline.observe(callId))?.digits).toBe('12#')
  await tabTo('Mute')
  const muted = expectSpoken("Muted. They can't hear you.", "Muted. They can't hear you.")
  await page.keyboard.press('Enter')
  await muted
  // A shorter call would leave the free call, and the next one would cost nothing.
  await farline.advance(11_000)
  await tabTo('Hang up')
  const ended = expectSpoken('Call Disconnected', 'Call Disconnected')
  const cost = expectSpoken('Call ended', /^You hung up\. Talked \d:\d\d, free call\.$/)
  await page.keyboard.press('Enter')
  await Promise.all([ended, cost])
  await expectOperable('the call ended')

  await farline.credit(email, 5)
  await tabTo('Call again')
  const again = expectSpoken('In Call', 'In Call')
  await page.keyboard.press('Enter')
  await again
  await tabTo('Hang up')
  const charged = expectSpoken('Minutes charged', /^You hung up\. Talked \d:\d\d, charged \$0\.0\d\.$/)
  await page.keyboard.press('Enter')
  await charged
  await tabTo('Print receipt')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/call-receipt*')
  await expect(page.getByRole('row', { name: /^Total/ })).toBeVisible()
  await reader.arrive(page, /Total.*\$0\.0\d/)
  await expectOperable('the receipt')
}
