// @covers src/styles
import { expect, test } from '#support/e2e.ts'
import { largeTextFaults } from '#support/large-text.ts'
import { blankPage, dial, saveNumber, signUp } from '#support/people.ts'

const accountPaths = [
  '/',
  '/call',
  '/profile',
  '/buy-credits',
  '/call-history',
  '/billing-history',
  '/referrals',
  '/heard-about',
  '/support',
]

test('no page of somebody who is signed in is wider than a phone with text of twice the size, and no word falls apart', async ({
  page,
}) => {
  await signUp(page, { at: blankPage })
  const found: string[] = []
  for (const path of accountPaths) {
    await page.goto(path, { waitUntil: 'networkidle' })
    found.push(...(await largeTextFaults(page, path)))
  }
  expect(found).toEqual([])
})

test('neither is the dialler: people, a call with and without the keypad, and the receipt after it', async ({
  page,
}) => {
  await signUp(page)
  await saveNumber(page, '2125550100', 'Grandmother Wilhelmina')
  const found = [...(await largeTextFaults(page, 'people'))]
  await page.setViewportSize({ width: 390, height: 800 })
  await dial(page, '2125550100')
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  found.push(...(await largeTextFaults(page, 'in a call')))
  await page.getByRole('button', { name: 'Keypad' }).click()
  found.push(...(await largeTextFaults(page, 'the keypad in a call')))
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByRole('heading', { name: /Call ended/ })).toBeVisible()
  found.push(...(await largeTextFaults(page, 'the receipt')))
  await page.setViewportSize({ width: 390, height: 800 })
  expect(found).toEqual([])
})

test('nor the operators’ page', async ({ page, farline }) => {
  const [link = ''] = (await farline.admin('ops-link', '--as', 'Anna')).split('\n')
  await page.goto(link)
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('For operators')
  expect(await largeTextFaults(page, '/ops')).toEqual([])
})
