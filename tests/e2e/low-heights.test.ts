// @covers src/islands/dialler/Phone.tsx
import type { Page } from 'playwright/test'
import { expect, test } from '#support/e2e.ts'
import { dial, saveNumber, signUp } from '#support/people.ts'

// As on a phone: scroll bars take no width.
test.use({ isMobile: true, hasTouch: true, viewport: { width: 390, height: 800 } })

const heights = Array.from({ length: 66 }, (_, step) => 640 + 4 * step)
const phones = [390, 360].flatMap(width => heights.map(height => ({ width, height })))

/** Runs in the browser. Pairs of the phone's parts that lie over each other, and parts that end below the screen. */
function findOverlaps(): readonly string[] {
  const parts =
    '.top > *, .slot > p, .address, .keypad, .entry .stamp, .seal, .who, .timer, .meta, .party, .acts, [aria-labelledby=call-ended]'
  const shown = [...document.querySelectorAll(`.phone :is(${parts})`)]
    .filter(part => part.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    .map(part => ({ part, name: part.className || part.tagName, box: part.getBoundingClientRect() }))
  const below = shown
    .filter(({ box }) => box.bottom > innerHeight + 1)
    .map(({ name }) => `${name} ends below`)
  const over = shown.flatMap(({ part, name, box }, place) =>
    shown
      .slice(place + 1)
      .filter(other => !part.contains(other.part) && !other.part.contains(part))
      .filter(({ box: { top, bottom, left, right } }) => {
        const high = Math.min(box.bottom, bottom) - Math.max(box.top, top)
        return high > 1 && Math.min(box.right, right) - Math.max(box.left, left) > 1
      })
      .map(other => `${name} over ${other.name}`),
  )
  return [...below, ...over]
}

async function overlaps(page: Page, sizes: readonly { readonly width: number; readonly height: number }[]) {
  const found: string[] = []
  for (const { width, height } of sizes) {
    await page.setViewportSize({ width, height })
    found.push(...(await page.evaluate(findOverlaps)).map(what => `${width}x${height}: ${what}`))
  }
  return found
}

test('nothing covers a key, the number or Call, however high the phone is', async ({ page }) => {
  await page.goto('/call')
  await expect(page.getByRole('button', { name: 'Call', exact: true })).toBeVisible()
  expect(await overlaps(page, phones)).toEqual([])
  await signUp(page)
  expect(await overlaps(page, phones)).toEqual([])
  await page.setViewportSize({ width: 390, height: 800 })
  await saveNumber(page, '2125550100')
  expect(await overlaps(page, phones)).toEqual([])
})

test('in a call the seal, the keys and Hang up keep apart, and its receipt leaves Call free, down to the smallest phone', async ({
  page,
}) => {
  const sizes = [...phones, { width: 390, height: 667 }, { width: 320, height: 568 }]
  await signUp(page)
  await dial(page, '2125550100')
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  expect(await overlaps(page, sizes)).toEqual([])
  await page.getByRole('button', { name: 'Keypad' }).click()
  await expect(page.getByRole('group', { name: 'Keypad' })).toBeVisible()
  expect(await overlaps(page, sizes)).toEqual([])
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByRole('region', { name: 'Call ended' }).getByText('Total')).toBeVisible()
  // Stands below the phone after the first call.
  await expect(page.getByRole('link', { name: 'How did you hear about us?' })).toBeAttached()
  expect(await overlaps(page, sizes)).toEqual([])
})
