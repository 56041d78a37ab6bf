// @covers src/islands/dialler/sound
// @real-time
import type { Page } from 'playwright/test'
import { expectInCall, expectTone } from '#support/bad-line.ts'
import { expect, test } from '#support/e2e.ts'
import { dial, signUp } from '#support/people.ts'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Sound' })
const devices = (page: Page, kind: 'Microphone' | 'Speaker') =>
  dialog(page).getByRole('group', { name: kind })
const openSound = (page: Page) => page.getByRole('button', { name: 'Sound', exact: true }).click()

/** What the newest call sends, by the browser's name of the microphone. */
const spokenInto = (page: Page) =>
  page.evaluate(() => {
    const senders = window.observedPeers.flatMap(peer => peer.getSenders())
    return senders.findLast(({ track }) => track?.readyState === 'live')?.track?.label
  })

test('devices are chosen before a call, used by it, and changed within it', { tag: '@core' }, async ({
  page,
  context,
}) => {
  await context.grantPermissions(['microphone'])
  await signUp(page)
  await openSound(page)
  const microphones = devices(page, 'Microphone')
  await expect(microphones.getByRole('radio', { name: 'System default' })).toBeChecked()
  await expect(microphones.getByRole('meter', { name: 'Microphone level' })).toBeVisible()
  await expect(devices(page, 'Speaker').getByRole('radio').nth(1)).toBeVisible()
  const names = await microphones
    .getByRole('radio')
    .evaluateAll(all => all.map(one => one.parentElement?.textContent))
  const [, first = '', second = ''] = names
  await microphones.getByRole('radio', { name: second }).check()
  await devices(page, 'Speaker').getByRole('radio').nth(1).check()
  await dialog(page).getByRole('button', { name: 'Play a tone' }).click()
  await expect(dialog(page).getByRole('button', { name: 'Play a tone' })).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Done' }).click()

  await page.reload()
  await dial(page, '2125550100')
  await expectInCall(page)
  expect(await spokenInto(page)).toBe(second)
  await expectTone(page)
  await openSound(page)
  await expect(microphones.getByRole('radio', { name: second })).toBeChecked()
  await expect(dialog(page).getByRole('button', { name: 'Check your line' })).toHaveCount(0)
  await microphones.getByRole('radio', { name: first }).check()
  await expect.poll(() => spokenInto(page)).toBe(first)
  await microphones.getByRole('radio', { name: 'System default' }).check()
  await expect.poll(() => spokenInto(page)).not.toBe(first)
  await dialog(page).getByRole('button', { name: 'Done' }).click()
  await expectInCall(page)
  await expectTone(page)
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText('In Call', { exact: true })).toHaveCount(0)
})

test('names a chosen device that is not connected, and the call continues with the default one', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['microphone'])
  await signUp(page)
  await page.evaluate(() => localStorage.setItem('microphoneDevice', 'gone\nHeadset (USB)'))
  await page.reload()
  await openSound(page)
  await expect(dialog(page).getByText("Headset (USB) isn't connected.")).toBeVisible()
  await expect(devices(page, 'Microphone').getByRole('radio', { name: 'System default' })).toBeChecked()
  await page.keyboard.press('Escape')
  await dial(page, '2125550100')
  await expectInCall(page)
  await page.getByRole('button', { name: 'Hang up' }).click()
})
