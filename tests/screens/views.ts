import type { Page } from 'playwright'

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

/** Sets the page to a view. Text is enlarged at the root, as a browser's own setting does. */
export async function show(page: Page, { width, height, theme, textPercent }: View): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  await page.setViewportSize({ width, height })
  await page.evaluate(percent => {
    document.documentElement.style.fontSize = percent === 100 ? '' : `${percent}%`
  }, textPercent)
  // Two frames: one for the layout, one for what stores and observers draw after it.
  await page.evaluate(
    () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(undefined)))),
  )
}
