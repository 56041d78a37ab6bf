// @covers src/islands/dialler/StatusLine.tsx
// @real-time
import { expect, test } from '#support/e2e.ts'
import { dial, signUp } from '#support/people.ts'
import { nameless, readAloud, readWhole, spokenOn } from '#support/screen-reader.ts'
import { callBankUnseen, listenWith, type ScreenReader } from '#support/unseen-call.ts'

const virtualReader: ScreenReader = {
  lateMs: 500,
  spoken: spokenOn,
  announced: phrase => /^(?:polite|assertive): (.*)$/s.exec(phrase)?.[1],
  interrupts: phrase => phrase.startsWith('assertive'),
  rounds: ['Tab', 'Shift+Tab'],
  // In a browser without a window the focus never leaves the page for long.
  comeBack: async () => {},
  async arrive(page, text) {
    if (text !== undefined) expect((await readWhole(page)).join(' ')).toMatch(text)
  },
}

test('somebody who sees nothing registers, calls a bank, presses its keys, hangs up and hears the receipt', async ({
  page,
  context,
  farline,
}) => {
  test.setTimeout(180_000)
  await readAloud(context)
  await callBankUnseen(page, farline, virtualReader)
})

test('somebody who sees nothing hears that a slow call is being prepared, and what it will cost', async ({
  page,
  context,
  farline,
}) => {
  await readAloud(context)
  const { tabTo, expectSpoken, expectOperable } = listenWith(virtualReader, page)
  const email = await signUp(page)
  await farline.credit(email, 5)
  // The free call asks for no price.
  await dial(page, '2125550100')
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  await farline.advance(11_000)
  await page.getByRole('button', { name: 'Hang up' }).press('Enter')
  await tabTo('Phone number')
  await page.keyboard.type('+2347027123456')
  await page.route('**/api/**', async route => {
    await page.waitForTimeout(1_500)
    await route.continue()
  })
  const checkingText = 'Checking the number and its price…'
  const checking = expectSpoken(checkingText, checkingText)
  await page.keyboard.press('Enter')
  await checking
  await expect(page.getByRole('dialog', { name: 'Confirm the price' })).toBeVisible()
  await expect
    .poll(async () => (await spokenOn(page)).map(({ phrase }) => phrase).join())
    .toContain('dialog, Confirm the price')
  expect(await nameless(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expectOperable('the dialler')
})
