// @covers src/voice/quality.ts src/voice/line-sampler.ts
// @real-time
import type { Page } from 'playwright/test'
import { signUpWithCredit } from '#support/bad-line.ts'
import { expect, test } from '#support/e2e.ts'
import { dial } from '#support/people.ts'

const none = { lossPercent: 0, lossInPercent: 0, delayMs: 0, jitterMs: 0 }
/** Answers at once, and plays a tone for as long as one listens. */
const toneNumber = '2125550100'

test.afterEach(async ({ farline }) => farline.damageSound(none))

async function holdCall(page: Page): Promise<void> {
  await dial(page, toneNumber)
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
}

for (const [what, damage, text, advice, tag] of [
  [
    'loses a fifth of its sound',
    { lossPercent: 20 },
    'Poor connection',
    'Words get lost. Move nearer the router.',
    [],
  ],
  [
    'loses a fifth of what is said into it',
    { lossInPercent: 20 },
    'Poor connection',
    'They hear gaps. Move nearer the router.',
    ['@full'],
  ],
  ['is uneven', { jitterMs: 500 }, 'Poor connection', 'Choppy sound. Pause other downloads.', ['@full']],
  ['is slow', { delayMs: 900 }, 'Poor connection', 'Long delay. Let each other finish.', ['@full']],
  ['loses some of its sound', { lossPercent: 6 }, 'Weak connection', null, ['@full']],
] as const) {
  test(`a line that ${what} is called so, and good again once it is`, { tag: [...tag] }, async ({
    page,
    farline,
  }) => {
    await signUpWithCredit(page, farline)
    await holdCall(page)
    await expect(page.getByText('Good connection')).toBeVisible()
    await farline.damageSound({ ...none, ...damage })
    await expect(page.getByText(text)).toBeVisible({ timeout: 20_000 })
    if (advice !== null) await expect(page.getByText(advice)).toBeVisible()
    await farline.damageSound(none)
    await expect(page.getByText('Good connection')).toBeVisible({ timeout: 25_000 })
    await page.getByRole('button', { name: 'Hang up' }).click()
  })
}

test('reports a silent microphone, unless it is muted', async ({ page, farline }) => {
  // A microphone that is switched off at its cable still sends: silence.
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = async () => {
      const context = new AudioContext()
      const microphone = context.createMediaStreamDestination()
      const source = new ConstantSourceNode(context, { offset: 0 })
      source.connect(microphone)
      source.start()
      return microphone.stream
    }
  })
  await signUpWithCredit(page, farline)
  await holdCall(page)
  const silent = page.getByText('They may not hear you. Check your mic.')
  await expect(silent).toBeVisible({ timeout: 25_000 })
  await expect(page.getByText('Good connection')).toBeVisible()
  await page.getByRole('button', { name: 'Mute', exact: true }).click()
  await expect(page.getByText("Muted. They can't hear you.")).toBeVisible()
  await expect(silent).toHaveCount(0)
  await page.getByRole('button', { name: 'Hang up' }).click()
})

test('a line over which nothing arrives says so in its bars and in the slot', { tag: '@full' }, async ({
  page,
  farline,
}) => {
  await signUpWithCredit(page, farline)
  await dial(page, '2125550106')
  await expect(page.getByText('Good connection')).toBeVisible()
  await expect(page.getByText('No sound arrives')).toBeVisible({ timeout: 20_000 })
  await expect(page.getByText('No sound from them. Hang up if it lasts.')).toBeVisible({
    timeout: 20_000,
  })
  await page.getByRole('button', { name: 'Hang up' }).click()
})
