// @covers src/voice/twilio.ts
import { expect, test } from '#support/e2e.ts'
import { tryAssumptions } from '#support/vendor-page.ts'

// The same in Firefox: `firefox.test.ts`.
test('the voice client is inside as we assume', async ({ page, farline }) => {
  test.setTimeout(180_000)
  expect(await tryAssumptions(page, farline)).toEqual({})
})
