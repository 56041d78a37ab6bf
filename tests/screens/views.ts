import type { CDPSession, Page } from 'playwright'

/** One way to look at a state: every state is photographed in each of them. */
export interface View {
  readonly name: string
  readonly width: number
  readonly height: number
  readonly theme: 'light' | 'dark'
  /** Of the browser's text size. */
  readonly textPercent: 100 | 200
}

export const views: readonly View[] = [
  { name: '390-light', width: 390, height: 844, theme: 'light', textPercent: 100 },
  { name: '390-dark', width: 390, height: 844, theme: 'dark', textPercent: 100 },
  { name: '1280-light', width: 1280, height: 800, theme: 'light', textPercent: 100 },
  { name: '1280-dark', width: 1280, height: 800, theme: 'dark', textPercent: 100 },
  { name: '320-light', width: 320, height: 640, theme: 'light', textPercent: 100 },
  { name: '390-text200', width: 390, height: 844, theme: 'light', textPercent: 200 },
]

const protocols = new WeakMap<Page, CDPSession>()

/** Of the browser's own setting for text, which `em` in media queries follows as well. */
const normalTextPx = 16

/** Sets the page to a view. */
export async function show(page: Page, { width, height, theme, textPercent }: View): Promise<void> {
  const protocol = protocols.get(page) ?? (await page.context().newCDPSession(page))
  protocols.set(page, protocol)
  await protocol.send('Page.setFontSizes', {
    fontSizes: { standard: (normalTextPx * textPercent) / 100 },
  })
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  await page.setViewportSize({ width, height })
  await page.evaluate(() => {
    // Scroll bars are hidden in pictures: the room kept for them would be an empty strip.
    document.documentElement.style.scrollbarGutter = 'auto'
  })
  // Two frames: one for the layout, one for what stores and observers draw after it.
  await page.evaluate(
    () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(undefined)))),
  )
}
