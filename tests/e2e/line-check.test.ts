// @covers src/voice/line-check.ts
// @real-time
import type { BrowserContext, Page } from 'playwright/test'
import { expect, test } from '#support/e2e.ts'
import { dial, signUp } from '#support/people.ts'
import type { TestServer } from '#support/test-server.ts'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Check your line' })
const row = (page: Page, title: string) => dialog(page).getByRole('listitem').filter({ hasText: title })

/** By the way that is there at every width. */
async function openCheck(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sound', exact: true }).click()
  await page.getByRole('dialog', { name: 'Sound' }).getByRole('button', { name: 'Check your line' }).click()
}

/** Every microphone that the page has opened and not let go of. */
async function watchMicrophones(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const tracks: MediaStreamTrack[] = []
    Object.assign(window, { openedTracks: tracks })
    const { mediaDevices } = navigator
    const open = mediaDevices.getUserMedia.bind(mediaDevices)
    mediaDevices.getUserMedia = async constraints => {
      const stream = await open(constraints)
      tracks.push(...stream.getAudioTracks())
      return stream
    }
  })
}

const openMicrophones = (page: Page) =>
  page.evaluate(() => {
    const { openedTracks } = window as unknown as { openedTracks: MediaStreamTrack[] }
    return openedTracks.filter(({ readyState }) => readyState === 'live').length
  })

async function useUpCredits(page: Page, farline: TestServer): Promise<void> {
  await dial(page, '2125550100')
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  // A shorter free call would stay free.
  await farline.advance(11_000)
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText('Balance: $0.00')).toBeVisible()
  await expect.poll(() => farline.liveCalls()).toEqual([])
}

test('a check without credits: it hears, is heard, is steady, costs nothing, and lets the microphone go', {
  tag: '@core',
}, async ({ page, context, farline }) => {
  await watchMicrophones(context)
  await signUp(page)
  await useUpCredits(page, farline)
  await openCheck(page)
  await expect(row(page, 'Microphone').getByText('Hears you')).toBeVisible()
  await row(page, 'Speaker').getByRole('button', { name: 'Play a tone' }).click()
  await row(page, 'Speaker').getByRole('button', { name: 'I heard it' }).click()
  await expect(row(page, 'Speaker').getByText('Heard', { exact: true })).toBeVisible()
  await expect(row(page, 'Connection').getByText('Steady')).toBeVisible({ timeout: 20_000 })
  await expect(
    row(page, 'Connection').getByText(/^\d+ ms round trip, no loss arriving, \d+ ms jitter$/),
  ).toBeVisible()
  await expect(dialog(page).getByText('Ready to call')).toBeVisible()
  expect(await openMicrophones(page)).toBe(1)
  expect(await farline.liveCalls()).toEqual([])
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  expect(await openMicrophones(page)).toBe(0)
  await expect(page.getByRole('button', { name: 'Sound', exact: true })).toBeFocused()
  await expect(page.getByText('Balance: $0.00')).toBeVisible()
  await page.goto('/call-history')
  await expect(page.getByRole('row').filter({ hasText: '0100' })).toHaveCount(1)
})

test('calls a line that loses every tenth packet weak, and says what to do', async ({ page, farline }) => {
  await signUp(page)
  await farline.damageSound({ lossPercent: 10, lossInPercent: 0, delayMs: 0, jitterMs: 0 })
  await openCheck(page)
  await expect(row(page, 'Connection').getByText('Weak')).toBeVisible({ timeout: 20_000 })
  await farline.damageSound({ lossPercent: 0, lossInPercent: 0, delayMs: 0, jitterMs: 0 })
  await expect(row(page, 'Connection').getByText(/ ([89]|1\d)% loss/)).toBeVisible()
  await expect(dialog(page).getByText(/Words would get lost\. Move nearer the router/)).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Check again' }).click()
  await expect(row(page, 'Connection').getByText('Steady')).toBeVisible({ timeout: 20_000 })
})

test('no sound gets through: distinguished from a service that cannot be reached', {
  tag: '@full',
}, async ({ page, farline }) => {
  await signUp(page)
  await farline.loseSound(true)
  await openCheck(page)
  await expect(row(page, 'Connection').getByText('no sound comes through')).toBeVisible({ timeout: 30_000 })
  await farline.loseSound(false)
  await page.route('**/api/line-check', route => route.abort())
  await dialog(page).getByRole('button', { name: 'Check again' }).click()
  await expect(row(page, 'Connection').getByText("We can't reach the voice service")).toBeVisible()
})

test('a blocked microphone says what to do, and the connection is checked all the same', async ({
  page,
  context,
}) => {
  await context.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = async () => {
      throw new DOMException('Permission denied', 'NotAllowedError')
    }
  })
  await signUp(page)
  await page.getByRole('textbox', { name: 'Phone number' }).fill('2125550100')
  await openCheck(page)
  await expect(row(page, 'Microphone').getByText(/is blocking the microphone for this site/)).toBeVisible()
  await expect(row(page, 'Microphone').getByRole('button', { name: 'Try again' })).toBeVisible()
  await expect(row(page, 'Connection').getByText(/ms round trip/)).toBeVisible({ timeout: 20_000 })
  await expect(dialog(page).getByText(/nobody will hear you/)).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Call anyway' }).click()
  await expect(page.getByText(/The microphone is blocked/)).toBeVisible()
})

test('a visitor tries microphone and speaker, and reads that the connection waits for a login', async ({
  page,
}) => {
  await page.goto('/call')
  await openCheck(page)
  await expect(row(page, 'Microphone').getByText('Hears you')).toBeVisible()
  await expect(row(page, 'Connection').getByRole('link', { name: 'Log in' })).toBeVisible()
})

test('asks for the microphone at the first press of Call, with the reason beside it', async ({
  page,
  context,
}) => {
  await context.addInitScript(() => {
    const { mediaDevices, permissions } = navigator
    const open = mediaDevices.getUserMedia.bind(mediaDevices)
    let state = 'prompt'
    permissions.query = async () => ({ state }) as PermissionStatus
    // A person reads the browser's question first.
    mediaDevices.getUserMedia = async constraints => {
      Object.assign(window, { asked: true })
      await new Promise(resolve => setTimeout(resolve, 1500))
      state = 'granted'
      return open(constraints)
    }
  })
  await signUp(page)
  const why = page.getByText('Allow your microphone so they hear you.')
  await expect(page.getByRole('button', { name: 'Sound', exact: true })).toBeVisible()
  expect(await page.evaluate(() => 'asked' in window)).toBe(false)
  await dial(page, '2125550100')
  await expect(why).toBeVisible()
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  await expect(why).toHaveCount(0)
  await page.getByRole('button', { name: 'Hang up' }).click()
})
