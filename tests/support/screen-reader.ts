import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Virtual } from '@guidepup/virtual-screen-reader'
import type { BrowserContext, Page } from 'playwright/test'

/** `atMs`: since 1970, by the machine's clock. */
export interface Spoken {
  readonly phrase: string
  readonly atMs: number
}

interface Reader {
  readonly virtual: Virtual
  readonly spoken: Spoken[]
}

const bundle = fileURLToPath(import.meta.resolve('@guidepup/virtual-screen-reader/browser.js'))
/** As the body of a function: the page's security policy allows no other module. */
const source = readFileSync(bundle, 'utf8')
  .replace(/export\{[^}]+?([\w$]+) as virtual\};/, 'return $1;')
  // It fails at elements that have left the page meanwhile, which have no such root.
  .replaceAll('e.getRootNode?e.getRootNode():e.ownerDocument', 'e.ownerDocument')

/** From here on, a virtual screen reader follows the focus and the live regions of each page in this context. */
export async function readAloud(context: BrowserContext): Promise<void> {
  await context.addInitScript(`globalThis.screenReader = (${follow})((() => {${source}\n})())`)
}

/** Runs in the browser. */
function follow(virtual: Virtual): Reader {
  const spoken: Spoken[] = []
  let read = 0
  const listen = async () => {
    const log = await virtual.spokenPhraseLog()
    // It begins anew with each reading of the whole page.
    if (log.length < read) read = 0
    for (const phrase of log.slice(read)) {
      // Each node that changed within a region speaks for all of it; a real reader drops the repetitions.
      if (spoken.at(-1)?.phrase !== phrase)
        spoken.push({ phrase, atMs: performance.timeOrigin + performance.now() })
    }
    read = log.length
    setTimeout(listen, 20)
  }
  if (window === top)
    document.addEventListener('DOMContentLoaded', async () => {
      await virtual.start({ container: document.body })
      await listen()
    })
  return { virtual, spoken }
}

type Reading = typeof globalThis & { readonly screenReader: Reader }

/** All that was said on this page so far. */
export function spokenOn(page: Page): Promise<readonly Spoken[]> {
  return page.evaluate(() => (globalThis as Reading).screenReader.spoken)
}

/** Lets the reader read the whole page, from its top to its end. */
export function readWhole(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
    const { virtual } = (globalThis as Reading).screenReader
    await virtual.stop()
    await virtual.start({ container: document.body })
    while ((await virtual.lastSpokenPhrase()) !== 'end of document') await virtual.next()
    return virtual.spokenPhraseLog()
  })
}

/** Resolves with the time of the first frame in which an element with exactly this text is on the screen. */
export async function shownAtMs(page: Page, text: string): Promise<number> {
  const shown = await page.waitForFunction(
    wanted => {
      const all = [...document.querySelectorAll<HTMLElement>('main *')]
      const shown = all.some(each => each.innerText === wanted && each.checkVisibility())
      return shown && performance.timeOrigin + performance.now()
    },
    text,
    { polling: 'raf', timeout: 15_000 },
  )
  return (await shown.jsonValue()) as number
}

const operable =
  /^(button|checkbox|combobox|link|menuitem|option|radio|searchbox|slider|spinbutton|switch|tab|textbox)$/

/** Interactive elements without a name in Chromium's own accessibility tree, by role. */
export async function nameless(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  await session.detach()
  const interactive = nodes.filter(({ ignored, role }) => !ignored && operable.test(String(role?.value)))
  if (interactive.length === 0) throw new Error('The page has nothing to use.')
  return interactive
    .filter(({ name }) => !String(name?.value ?? '').trim())
    .map(({ role }) => String(role?.value))
}

/**
 * One round of the focus over the page with this key, element by element.
 * @param press presses the key
 * @throws Error at a trap
 */
export async function goRound(
  page: Page,
  key: 'Tab' | 'Shift+Tab',
  press: () => Promise<void>,
): Promise<readonly string[]> {
  const stops: string[] = []
  while (stops.length < 400) {
    await press()
    const stop = await page.evaluate(nameFocus)
    // Between the last and the first one lies the browser's own window.
    if (stop === null) continue
    if (stop === stops.at(-1)) throw new Error(`${key} stays at ${stop}`)
    if (stop === stops[0]) return stops
    if (stops.includes(stop)) throw new Error(`${key} returns to ${stop} before the round is complete`)
    stops.push(stop)
  }
  throw new Error(`${key} never comes round`)
}

/** The name of the focused element in Chromium's accessibility tree; undefined when nothing is focused. */
export async function focusedName(page: Page): Promise<string | undefined> {
  const session = await page.context().newCDPSession(page)
  try {
    const expression = 'document.activeElement === document.body ? null : document.activeElement'
    const { result } = await session.send('Runtime.evaluate', { expression })
    if (result.objectId === undefined) return undefined
    const { nodes } = await session.send('Accessibility.getPartialAXTree', {
      objectId: result.objectId,
      fetchRelatives: false,
    })
    return String(nodes[0]?.name?.value ?? '')
  } finally {
    await session.detach()
  }
}

/** Runs in the browser. The same element has the same name each time, also when its text or its place has changed. */
function nameFocus(): string | null {
  const named = globalThis as typeof globalThis & { focusNames?: Map<Element, string> }
  named.focusNames ??= new Map()
  const at = document.activeElement
  if (at === null || at === document.body) return null
  const name = named.focusNames.get(at) ?? `${named.focusNames.size} ${at.tagName} ${at.textContent}`
  named.focusNames.set(at, name)
  return name
}
