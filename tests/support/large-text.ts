import type { Page } from 'playwright/test'

/** The browser's own setting. A style of `html` would leave media queries in rem as they were. */
async function setText(page: Page, standardPx: number): Promise<void> {
  const devTools = await page.context().newCDPSession(page)
  const fontSizes = { standard: standardPx, fixed: (standardPx * 13) / 16 }
  await devTools.send('Page.setFontSizes', { fontSizes })
  await devTools.detach()
}

/**
 * What does not fit with text of twice the size on the screen as it is now: more width than a phone has, and words in three pieces
 * or more. Leaves the viewport at 320 px and the text large (`resetText`).
 * @param name of what is on the screen
 */
export async function largeTextFaults(page: Page, name: string): Promise<readonly string[]> {
  await setText(page, 32)
  const found: string[] = []
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 800 })
    const { overflow, broken } = await page.evaluate(measure)
    if (overflow > 0) found.push(`${name} at ${width} px is ${overflow} px too wide`)
    found.push(...broken.map(word => `${name} at ${width} px breaks ${word}`))
  }
  return found
}

/** Runs in the browser. */
function measure() {
  const scrollers = [document.documentElement, ...document.querySelectorAll('main, dialog[open]')]
  const overflow = Math.max(...scrollers.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))
  const broken: string[] = []
  const texts = document.createTreeWalker(
    document.querySelector('main') ?? document.body,
    NodeFilter.SHOW_TEXT,
  )
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    // Addresses and code have no words; the letters of a postmark run along its ring.
    if (text.parentElement?.closest('svg, code, pre')) continue
    for (const { 0: word, index } of text.textContent?.matchAll(/(?<![\w@.-])\p{L}{3,}(?![\w@.-])/gu) ?? []) {
      const range = document.createRange()
      range.setStart(text, index)
      range.setEnd(text, index + word.length)
      const lines = new Set(
        [...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => top),
      )
      if (lines.size > 2) broken.push(word)
    }
  }
  return { overflow, broken }
}

/** Undoes what `largeTextFaults` did to the text. */
export function resetText(page: Page): Promise<void> {
  return setText(page, 16)
}
