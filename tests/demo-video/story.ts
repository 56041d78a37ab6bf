import { expect, type Page } from 'playwright/test'

/** How fast the person in the film goes, in milliseconds. */
const pace = { read: 1500, look: 700, key: 110, pointerSteps: 18 } as const

/** Somebody's first call, to a mobile in India: place, number, call, menu, hang up, what it cost. */
export async function firstCall(page: Page, say: (caption: string) => void): Promise<void> {
  say('The dialler opens in the browser. The first call is free.')
  await page.waitForTimeout(pace.read)

  say('Choose the country.')
  await press(page, page.getByRole('button', { name: /United States/ }).first())
  await page.waitForTimeout(pace.look)
  await page.keyboard.type('India', { delay: pace.key })
  await page.waitForTimeout(pace.look)
  await press(page, page.getByRole('option', { name: /^India/ }))
  await page.waitForTimeout(pace.look)

  say('Type the number. The price per minute appears below it before you call.')
  await press(page, page.getByRole('textbox', { name: 'Phone number' }))
  await page.keyboard.type('9876543210', { delay: pace.key })
  await page.waitForTimeout(pace.read)

  say('Press Call. Ringing costs nothing.')
  await press(page, page.getByRole('button', { name: 'Call', exact: true }))
  await expect(page.getByText('In Call', { exact: true })).toBeVisible({ timeout: 20_000 })

  say('They answer. From here on the call is timed.')
  await page.waitForTimeout(2 * pace.read)

  say('Menus are no trouble: press the keys.')
  await press(page, page.getByRole('button', { name: 'Keypad', exact: true }))
  await page.waitForTimeout(pace.look)
  for (const key of ['1', '4', '2']) {
    await press(
      page,
      page.getByRole('group', { name: 'Keypad' }).getByRole('button', { name: new RegExp(`^${key}`) }),
    )
    await page.waitForTimeout(pace.look)
  }
  await page.waitForTimeout(pace.read)

  say('Hang up and see what the call cost, to the cent.')
  await press(page, page.getByRole('button', { name: 'Hang up' }))
  await page.waitForTimeout(2 * pace.read)
}

type Target = ReturnType<Page['getByRole']>

/** Moves the pointer where it can be followed, then presses. */
async function press(page: Page, target: Target): Promise<void> {
  const box = await target.boundingBox()
  if (!box) throw new Error(`nothing to press: ${target}`)
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: pace.pointerSteps })
  await target.click()
}
