// @covers src/islands/dialler/call/InCall.tsx
// @real-time
import { expectTone, signUpWithCredit } from '#support/bad-line.ts'
import { badLineTest, expect, test } from '#support/e2e.ts'
import { dial, signUp } from '#support/people.ts'

/** Answers at once, and plays a tone for as long as one listens. */
const toneNumber = '2125550100'

test('a call tells its cost, its time left and its quality, shows itself in the title, and reports at its end', {
  tag: '@core',
}, async ({ page, farline }) => {
  await signUpWithCredit(page, farline)
  const reported = page.waitForRequest(request => /\/api\/calls\/[^/]+\/quality$/.test(request.url()))
  const title = await page.title()
  await dial(page, toneNumber)
  await expect(page.getByText(/^\$0\.\d+ so far$/)).toBeVisible()
  await expect(page.getByText(/^About \d+ min left$/)).toBeVisible()
  await expect(page.getByText('Good connection')).toBeVisible()
  await expect(page.getByText(/^\d\d:\d\d (here · \d\d:\d\d there|for both of you)$/)).toBeVisible()
  await expect(page).toHaveTitle(/^00:\d\d \+1 212 555 0100 · Farline$/)
  const spent = await page.getByText(/so far$/).textContent()

  await page.keyboard.press('Control+Shift+M')
  await expect(page.getByRole('button', { name: 'Muted' })).toBeVisible()
  await page.keyboard.press('Control+Shift+M')
  await expect(page.getByRole('button', { name: 'Mute', exact: true })).toBeVisible()

  const [callId = ''] = await farline.liveCalls()
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page).toHaveTitle(title)
  const report = (await reported).postDataJSON()
  expect(report.seconds).toBeGreaterThan(1)
  expect(report.heardSeconds).toBeGreaterThan(0)
  await expect
    .poll(async () => (await farline.charges(callId)).reduce((sum, { amount }) => sum + amount, 0))
    .toBe(Math.round(Number(spent?.replace(/[^\d.]/g, '')) * 1_000_000))
})

test('a free call is called free; the microphone is silent while digits leave, and the rest can be cancelled', async ({
  page,
  farline,
}) => {
  await signUp(page)
  await dial(page, '2025550123')
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  await expect(page.getByText('Free', { exact: true })).toBeVisible()
  await expect(page.getByText('About 5 min left')).toBeVisible()
  const [callId = ''] = await farline.liveCalls()
  const isOpen = () =>
    page.evaluate(() =>
      window.observedPeers.some(peer => peer.getSenders().some(({ track }) => track?.enabled === true)),
    )
  await expect.poll(isOpen).toBe(true)
  await page.getByRole('button', { name: 'Keypad' }).click()
  const field = page.getByPlaceholder('Navigate menus (0-9, *, #)')
  await field.fill('123456789012345678901234567890')
  await expect(page.getByText(/^Sending \d+ of 30\. Microphone off\.$/)).toBeVisible()
  expect(await isOpen()).toBe(false)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(isOpen).toBe(true)
  const sent = await field.inputValue()
  expect(sent.length).toBeLessThan(30)
  await expect.poll(async () => (await farline.observe(callId))?.digits).toBe(sent)
  await page.getByRole('button', { name: 'Hang up' }).click()
})

declare global {
  interface Window {
    /** What the page has asked of the system for its call. */
    system: {
      readonly locks: WakeLockSentinel[]
      readonly handlers: Map<string, (() => void) | null>
      readonly active: boolean[]
      readonly buzzes: unknown[]
    }
  }
}

test('the screen stays on, the phone buzzes at the answer unless less motion is wanted; a headset, a lock screen and Cmd+Shift+M mute and hang up', async ({
  page,
}) => {
  await page.addInitScript(() => {
    window.system = { locks: [], handlers: new Map(), active: [], buzzes: [] }
    const request = navigator.wakeLock.request.bind(navigator.wakeLock)
    navigator.wakeLock.request = async type => {
      const lock = await request(type)
      window.system.locks.push(lock)
      return lock
    }
    const { mediaSession } = navigator
    const handle = mediaSession.setActionHandler.bind(mediaSession)
    mediaSession.setActionHandler = (action, handler) => {
      handle(action, handler)
      window.system.handlers.set(action, handler as (() => void) | null)
    }
    const activate = mediaSession.setMicrophoneActive.bind(mediaSession)
    mediaSession.setMicrophoneActive = active => {
      window.system.active.push(active)
      return activate(active)
    }
    const vibrate = navigator.vibrate.bind(navigator)
    Object.assign(navigator, {
      vibrate(pattern: VibratePattern) {
        window.system.buzzes.push(pattern)
        return vibrate(pattern)
      },
    })
  })
  const heldLocks = () => page.evaluate(() => window.system.locks.filter(({ released }) => !released).length)
  const party = () => page.evaluate(() => navigator.mediaSession.metadata?.title ?? null)
  const press = (action: string) => page.evaluate(name => window.system.handlers.get(name)?.(), action)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await signUp(page)
  expect(await heldLocks()).toBe(0)
  await dial(page, toneNumber)
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  await expect.poll(heldLocks).toBe(1)
  expect(await party()).toBe('+1 212 555 0100')

  const muted = page.getByRole('button', { name: 'Muted' })
  /** The system learns of a press in the next task, so a press at once after another would keep one from it. */
  const expectMicrophone = (...active: readonly boolean[]) =>
    expect.poll(() => page.evaluate(() => window.system.active)).toEqual(active)
  await expectMicrophone(true)
  await page.keyboard.press('Meta+Shift+M')
  await expect(muted).toBeVisible()
  await expectMicrophone(true, false)
  await press('togglemicrophone')
  await expect(muted).toHaveCount(0)
  await expectMicrophone(true, false, true)
  await press('togglemicrophone')
  await expect(muted).toBeVisible()
  await expectMicrophone(true, false, true, false)
  await press('hangup')
  await expect(page.getByText(/^You hung up\. Talked/)).toBeVisible()
  await expect.poll(heldLocks).toBe(0)
  await expect.poll(party).toBeNull()
  expect(await page.evaluate(() => [...window.system.handlers.values()])).toEqual([null, null])

  await page.emulateMedia({ reducedMotion: 'reduce' })
  await dial(page, toneNumber)
  await expect.poll(heldLocks).toBe(1)
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  await press('hangup')
  await expect.poll(heldLocks).toBe(0)
  expect(await page.evaluate(() => window.system.buzzes)).toEqual([100])
})

for (const arrives of [true, false]) {
  const when = arrives ? 'before' : 'without'
  test(`a call that begins ${when} the view of calls is muted and hung up all the same`, async ({
    page,
    farline,
  }) => {
    await signUp(page)
    // Its own parts, still on their way, must not be the ones that are missing.
    await page.goto('/faq')
    const { promise: late, resolve: letGo } = Promise.withResolvers<void>()
    await page.route(/_astro\/(lazy-parts|later-parts)\..*js/, async route => {
      if (!arrives) return route.fulfill({ status: 404, body: '' })
      await late
      await route.continue()
    })
    // Where chunks are missing the page reloads, which would interrupt a wait for the first load.
    await page.goto('/call', { waitUntil: 'commit' })
    if (!arrives) await expect(page.getByText("A part of this page didn't load.")).toBeVisible()
    await dial(page, toneNumber)
    await expect(page.getByText('In Call', { exact: true })).toBeVisible()
    await expect(page.getByText('+1 212 555 0100')).toBeVisible()
    await page.getByRole('button', { name: 'Mute', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Muted' })).toHaveAttribute('aria-pressed', 'true')
    if (arrives) {
      letGo()
      await expect(page.getByRole('timer')).toBeVisible()
      await expect(page.getByText("Muted. They can't hear you.")).toBeVisible()
    }
    await page.getByRole('button', { name: 'Hang up' }).click()
    await expect(page.getByRole('button', { name: 'Call', exact: true })).toBeVisible()
    await expect.poll(() => farline.liveCalls()).toEqual([])
    if (arrives) await expect(page.getByText(/^You hung up\. Talked/)).toBeVisible()
  })
}

badLineTest(
  'while the service alone is out of reach, the page says that the other phone is still there',
  async ({ page, network }) => {
    await signUp(page)
    await dial(page, toneNumber)
    await expectTone(page)
    const holds = page.getByText('The other phone is still connected')
    await expect(holds).toHaveCount(0)
    network.lose()
    expect(network.dropSignalling()).toBe(1)
    await expect(holds).toBeVisible()
    await expect(page.getByText('We lost the connection. Retrying.')).toBeVisible()
    await expectTone(page)
    network.recover()
    await expect(page.getByText('Good connection')).toBeVisible({ timeout: 20_000 })
    await expect(holds).toHaveCount(0)
    await page.getByRole('button', { name: 'Hang up' }).click()
  },
)
