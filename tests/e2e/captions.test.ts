// @covers src/islands/dialler/captions
// @real-time
import type { Page } from 'playwright/test'
import { violations } from '#support/axe.ts'
import { expectInCall } from '#support/bad-line.ts'
import { expect, test } from '#support/e2e.ts'
import { openHandset } from '#support/handset.ts'
import { dial, signUp } from '#support/people.ts'

const number = { typed: '+91 98765 43210', e164: '+919876543210' }

interface Scripted {
  /** What the page asked the browser for, in the order in which it did. */
  asked: string[]
  /** Whether language packs arrive. */
  online: boolean
  /** How often recognition ends with an error before it hears anything. */
  faults: number
}

declare global {
  interface Window {
    scripted: Scripted
    /** Missing from TypeScript's library. */
    SpeechRecognition: object
  }
}

/**
 * Runs in the browser, before the page's own scripts. In the place of the browser's recognition, which has no language packs here: it
 * knows English, can download Spanish, and says in words how high the tone is that it really receives in the track.
 */
function recogniseTones(): void {
  window.scripted = { asked: [], online: true, faults: 0 }
  const { scripted } = window
  const installed = new Set(['en-US'])
  const stayHere = ({ processLocally }: { processLocally?: boolean }) => {
    if (processLocally !== true) throw new Error('the sound would leave the device')
  }
  class ToneRecognition extends EventTarget {
    lang = ''
    continuous = false
    interimResults = false
    #local = false
    #context: AudioContext | undefined

    get processLocally(): boolean {
      return this.#local
    }
    set processLocally(local: boolean) {
      this.#local = local
    }

    static async available(options: { langs: string[]; processLocally?: boolean }): Promise<string> {
      stayHere(options)
      const [language = ''] = options.langs
      scripted.asked.push(`available ${language}`)
      if (installed.has(language)) return 'available'
      return language === 'es-ES' ? 'downloadable' : 'unavailable'
    }

    static async install(options: { langs: string[]; processLocally?: boolean }): Promise<boolean> {
      stayHere(options)
      const [language = ''] = options.langs
      scripted.asked.push(`install ${language}`)
      if (scripted.online) installed.add(language)
      return scripted.online
    }

    start(track: MediaStreamTrack): void {
      stayHere(this)
      if (track.kind !== 'audio' || track.readyState !== 'live') throw new Error('the track is not live')
      scripted.asked.push(`start ${this.lang}`)
      if (scripted.faults > 0) {
        scripted.faults -= 1
        this.dispatchEvent(Object.assign(new Event('error'), { error: 'network' }))
        return
      }
      const context = new AudioContext()
      this.#context = context
      const analyser = context.createAnalyser()
      analyser.fftSize = 8192
      analyser.smoothingTimeConstant = 0
      context.createMediaStreamSource(new MediaStream([track])).connect(analyser)
      const levels = new Float32Array(analyser.frequencyBinCount)
      const samples = new Float32Array(analyser.fftSize)
      const finals: object[] = []
      const say = (isFinal: boolean, transcript: string) => {
        const result = Object.assign([{ transcript, confidence: 1 }], { isFinal })
        const results = [...finals, result]
        if (isFinal) finals.push(result)
        this.dispatchEvent(Object.assign(new Event('result'), { resultIndex: results.length - 1, results }))
      }
      const listen = () => {
        if (context.state === 'closed') return
        analyser.getFloatTimeDomainData(samples)
        analyser.getFloatFrequencyData(levels)
        if (Math.max(...samples) < 0.05) {
          setTimeout(listen, 100)
          return
        }
        const hz = Math.round((levels.indexOf(Math.max(...levels)) * context.sampleRate) / analyser.fftSize)
        say(false, 'Heliotrope')
        setTimeout(() => {
          if (context.state === 'closed') return
          say(true, `Heliotrope at ${hz} Hz.`)
          this.abort()
          // As after a silence.
          this.dispatchEvent(new Event('end'))
        }, 300)
      }
      listen()
    }

    abort(): void {
      if (this.#context?.state !== 'closed') void this.#context?.close()
    }
  }
  Object.assign(window, { SpeechRecognition: ToneRecognition })
}

/** @returns the handset, which says a tone of 1 kHz */
async function holdCall(page: Page) {
  const email = await signUp(page)
  const handset = await openHandset(page, number.typed)
  await dial(page, number.e164)
  await handset.getByRole('button', { name: 'Answer' }).click()
  await expectInCall(page)
  return { handset, email }
}

/** What a screen reader says of them. */
const announced = (page: Page) => page.getByRole('status').filter({ hasText: /^Captions / })
const linesOf = (page: Page) => page.getByRole('group', { name: 'Captions', exact: true })

test('captions show what the callee says, made on the device, and vanish with the call', {
  tag: '@core',
}, async ({ page, farline }) => {
  await page.addInitScript(recogniseTones)
  const sent: string[] = []
  page.on('request', request => sent.push(request.url(), request.postData() ?? ''))
  page.on('websocket', socket => socket.on('framesent', ({ payload }) => sent.push(payload.toString())))
  const { email } = await holdCall(page)

  await page.getByRole('button', { name: 'Captions' }).click()
  const pane = page.getByRole('region', { name: /^Captions of / })
  await expect(pane).toBeFocused()
  await expect(pane).toContainText('Your device makes the captions and sends nothing.')
  // The callee's tone, and not the microphone's: recognition got the live track of the call.
  await expect(linesOf(page)).toContainText(/Heliotrope at (99\d|100\d|101\d) Hz\./)
  // Recognition ended after the phrase, and began again.
  await expect
    .poll(() => page.evaluate(() => window.scripted.asked.filter(each => each === 'start en-US').length))
    .toBeGreaterThan(1)
  await expect(linesOf(page).getByText('Heliotrope at')).not.toHaveCount(1)
  // Read out, captions would cover the callee's voice.
  await expect(
    page.locator('[aria-live], [role=status], [role=log], [role=alert]', { hasText: 'Heliotrope' }),
  ).toHaveCount(0)

  await page.getByRole('button', { name: 'Keypad' }).click()
  await expect(linesOf(page)).toContainText('Heliotrope at')
  await page.getByRole('button', { name: 'Keypad' }).click()
  await expect(pane).toBeVisible()
  await expect(page.getByRole('button', { name: 'Keypad' })).toBeFocused()

  // Another language has to be downloaded first, and that can fail.
  await page.evaluate(() => {
    window.scripted.online = false
  })
  const language = pane.getByLabel('Spoken language')
  await expect(language.getByRole('option')).toHaveText(['English', 'Spanish'])
  await language.selectOption('Spanish')
  await expect(pane).toContainText("Captions for Spanish couldn't be downloaded.")
  await expect(announced(page)).toHaveText("Captions for Spanish couldn't be downloaded.")
  await page.evaluate(() => {
    window.scripted.online = true
  })
  await pane.getByRole('button', { name: 'Try again' }).click()
  await expect
    .poll(() => page.evaluate(() => window.scripted.asked))
    .toEqual(expect.arrayContaining(['install es-ES', 'start es-ES']))
  await expect(linesOf(page).locator('p').last()).toHaveAttribute('lang', 'es-ES')

  // One fault is passed over; the second within seconds ends captions, and the call goes on.
  await page.evaluate(() => {
    window.scripted.faults = 2
  })
  const stopped = "Captions stopped. This browser can't recognise the speech any more. Your call goes on."
  await expect(pane).toContainText(stopped)
  await expect(announced(page)).toHaveText(stopped)
  await expect(linesOf(page)).toContainText('Heliotrope at')
  await pane.getByRole('button', { name: 'Try again' }).click()
  await pane.getByRole('button', { name: 'Hide captions' }).click()
  await expect(page.getByRole('button', { name: 'Captions' })).toBeFocused()
  await page.getByRole('button', { name: 'Captions' }).click()
  await expect(linesOf(page)).toContainText('Heliotrope at')

  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByRole('link', { name: 'Print receipt' })).toBeVisible()
  await expect(page.getByText('Heliotrope')).toHaveCount(0)
  const starts = await page.evaluate(() => window.scripted.asked.length)
  await expect.poll(() => farline.liveCalls()).toEqual([])
  // Longer than the pause after which recognition begins again.
  await page.waitForTimeout(1_000)
  expect(await page.evaluate(() => window.scripted.asked.length)).toBe(starts)
  expect(sent.length).toBeGreaterThan(10)
  expect(sent.filter(each => each.includes('Heliotrope'))).toEqual([])
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(
    'Heliotrope',
  )
  expect(await farline.tablesWith(email)).toContain('app_user')
  expect(await farline.tablesWith('Heliotrope')).toEqual([])
})

test('a browser without recognition on the device offers no captions', async ({ page }) => {
  await page.addInitScript(recogniseTones)
  // As Chrome on Android answers: it knows the question, and has no language.
  await page.addInitScript(() => {
    const { scripted } = window
    Object.assign(window.SpeechRecognition, {
      available: async ({ langs: [language = ''] }: { langs: string[] }) => {
        scripted.asked.push(language)
        return 'unavailable'
      },
    })
  })
  await signUp(page)
  await dial(page, '+1 212 555 0100')
  await expectInCall(page)
  expect(await page.evaluate(() => window.scripted.asked.length)).toBe(12)
  await expect(page.getByRole('button', { name: 'Captions' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Hang up' }).click()
})

test('captions keep Hang up in view on a small screen and with text of twice the size', {
  tag: '@full',
}, async ({ page }) => {
  await page.addInitScript(recogniseTones)
  await holdCall(page)
  await page.setViewportSize({ width: 320, height: 568 })
  await page.getByRole('button', { name: 'Captions' }).click()
  await expect(linesOf(page).getByText('Heliotrope at').last()).toBeInViewport()
  expect(await violations(page)).toEqual([])
  const devTools = await page.context().newCDPSession(page)
  for (const standard of [16, 32]) {
    await devTools.send('Page.setFontSizes', { fontSizes: { standard, fixed: 13 } })
    await expect(page.getByRole('button', { name: 'Hang up' })).toBeInViewport()
    await linesOf(page).scrollIntoViewIfNeeded()
    await expect(linesOf(page).getByText('Heliotrope at').last()).toBeInViewport()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  }
})
