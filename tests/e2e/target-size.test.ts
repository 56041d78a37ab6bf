// @covers src/ui
import type { Page } from 'playwright/test'
import { expect, test } from '#support/e2e.ts'
import { dial, saveNumber, signUp } from '#support/people.ts'

/** A fingertip, by WCAG 2.5.5. */
const minPx = 44

/** Runs in the browser. What is smaller than a fingertip, but for links within a sentence. */
function smallTargets(limitPx: number): string[] {
  const open = document.querySelector('dialog[open]') ?? document.querySelector('main') ?? document.body
  const targets = open.querySelectorAll<HTMLElement>('a, button, input, select, summary, [tabindex="0"]')
  return [...targets]
    .filter(each => each.checkVisibility() && each.getBoundingClientRect().width > 1)
    .filter(each => each.tagName !== 'A' || each.parentElement?.firstChild?.nodeType !== Node.TEXT_NODE)
    .flatMap(each => {
      const { width, height } = each.getBoundingClientRect()
      const name = each.getAttribute('aria-label') ?? each.textContent
      // Half a pixel is lost to rounding.
      return Math.min(width, height) < limitPx - 0.5
        ? [`${each.tagName} ${name}: ${Math.round(width)} by ${Math.round(height)} px`]
        : []
    })
}

async function expectLargeTargets(page: Page, text: string | RegExp): Promise<void> {
  await expect(page.getByText(text).first()).toBeVisible()
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 })
    expect.soft(await page.evaluate(smallTargets, minPx), `${text}, ${width} px`).toEqual([])
  }
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).press('Enter')

test('everything on the dialler and in each state of a call is large enough for a finger', async ({
  page,
  farline,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/call')
  await expectLargeTargets(page, 'First call free')
  const email = await signUp(page)
  await farline.credit(email, 1.5)
  await saveNumber(page, '2125550112')
  await page.getByRole('textbox', { name: 'Phone number' }).fill('2125550111')
  await expectLargeTargets(page, '+ Save this number')
  await page.getByRole('textbox', { name: 'Phone number' }).fill('911')
  await expectLargeTargets(page, 'Use a phone')
  await dial(page, '2125550102')
  await expectLargeTargets(page, 'Ringing')
  await press(page, 'Hang up')
  await dial(page, '2125550100')
  await expectLargeTargets(page, 'In Call')
  await press(page, 'Mute')
  await expectLargeTargets(page, "Muted. They can't hear you.")
  await press(page, 'Keypad')
  await page.getByRole('textbox', { name: 'Digits to send' }).fill('1234567890'.repeat(12))
  await expectLargeTargets(page, /^Sending/)
  await press(page, 'Cancel')
  await press(page, 'Keypad')
  // A shorter call would leave the free call, which warns of no credits.
  await farline.advance(11_000)
  await press(page, 'Hang up')
  await expectLargeTargets(page, /Talked/)
  await dial(page, '2125550100')
  await expectLargeTargets(page, 'Low credits! Call will end soon.')
  await press(page, 'Hang up')
})
