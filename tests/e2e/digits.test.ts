// @covers src/voice/digits.ts src/shared/keypad
import { expect, test } from '#support/e2e.ts'
import { dial, signUp } from '#support/people.ts'

const digits = '1234567890*#'

test('a digit typed over those that the field shows is sent like any other', async ({ page, farline }) => {
  await signUp(page)
  await dial(page, '2125550100')
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  const [callId = ''] = await farline.liveCalls()
  await page.getByRole('button', { name: 'Keypad' }).click()
  const field = page.getByRole('textbox', { name: 'Digits to send' })
  await field.pressSequentially('1')
  await expect(field).toHaveValue('1')
  await field.selectText()
  await page.keyboard.press('1')
  await field.selectText()
  await page.keyboard.press('2')
  await page.keyboard.press('Backspace')
  await expect(field).toHaveValue('112')
  await expect.poll(async () => (await farline.observe(callId))?.digits).toBe('112')
})

for (const [way, tag] of [
  ['typed 60 ms apart', []],
  ['pasted', ['@full']],
  ['clicked on the keypad', []],
] as const) {
  test(`${digits} ${way} arrives whole and in order at the demo line`, {
    tag: [...tag],
  }, async ({ page, farline }) => {
    await signUp(page)
    await dial(page, '2025550123')
    await expect(page.getByText('In Call', { exact: true })).toBeVisible()
    const [callId = ''] = await farline.liveCalls()
    await page.getByRole('button', { name: 'Keypad' }).click()
    const field = page.getByPlaceholder('Navigate menus (0-9, *, #)')
    const began = performance.now()
    switch (way) {
      case 'typed 60 ms apart':
        await field.pressSequentially(digits, { delay: 60 })
        break
      case 'pasted':
        await field.focus()
        await page.evaluate(text => {
          const data = new DataTransfer()
          data.setData('text/plain', text)
          document.activeElement?.dispatchEvent(
            new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
          )
        }, digits)
        break
      case 'clicked on the keypad':
        for (const digit of digits) {
          await page.getByRole('button', { name: new RegExp(`^[${digit}]( |$)`) }).click()
        }
        break
    }
    await expect.poll(async () => (await farline.observe(callId))?.digits, { timeout: 15_000 }).toBe(digits)
    // 300 ms between digits, however they were given (PD-30): the twelfth leaves 3.3 s after the first.
    expect(performance.now() - began).toBeGreaterThan(11 * 300)
    await expect(page.getByText('Call Disconnected')).toBeVisible()
  })
}
