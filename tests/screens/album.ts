import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright'
import { expect } from 'playwright/test'
import type { TestServer } from '#support/test-server.ts'
import { show, type View, views } from './views.ts'

/** A state that was photographed, with the file of each view. */
export interface Shot {
  readonly state: string
  readonly files: readonly { readonly view: View; readonly path: string }[]
}

/** What a feature's walk gets: a page on a running server, and a camera. */
export interface Album {
  readonly page: Page
  readonly farline: TestServer
  /** Another browser, for a second person or device. */
  openOther(): Promise<Page>
  /**
   * Photographs the page in every view, named `state`. `whole`: from top to bottom, otherwise what the window shows,
   * which is right for dialogs.
   */
  shoot(state: string, options?: { readonly of?: Page; readonly whole?: boolean }): Promise<void>
  /** Goes to a page, waits until it rests, and photographs it whole. */
  visit(path: string, state?: string): Promise<void>
}

/** One feature of the product: walks through its states and photographs each. */
export type Walk = (album: Album) => Promise<void>

export interface OpenAlbum extends Album {
  readonly shots: readonly Shot[]
  close(): Promise<void>
}

const homeView: View = { name: 'home', width: 1280, height: 800, theme: 'light', textPercent: 100 }
const maxHeight = 12_000

export async function openAlbum(
  browser: Browser,
  farline: TestServer,
  directory: string,
): Promise<OpenAlbum> {
  mkdirSync(directory, { recursive: true })
  const contexts: BrowserContext[] = []
  const shots: Shot[] = []
  const open = async (): Promise<Page> => {
    const context = await browser.newContext({
      baseURL: farline.url,
      viewport: { width: homeView.width, height: homeView.height },
      reducedMotion: 'reduce',
      serviceWorkers: 'block',
    })
    contexts.push(context)
    context.setDefaultTimeout(10_000)
    await context.addInitScript(keepChance)
    return context.newPage()
  }
  const page = await open()
  const shoot: Album['shoot'] = async (state, { of = page, whole = true } = {}) => {
    const files: Shot['files'][number][] = []
    // Nothing is photographed under the pointer that pressed the last button.
    await of.mouse.move(0, 0)
    for (const view of views) {
      await show(of, view)
      const path = join(directory, `${state}-${view.name}.png`)
      if (whole) await growTo(of, view)
      await of.screenshot({ path })
      files.push({ view, path })
    }
    shots.push({ state, files })
    await show(of, homeView)
  }
  return {
    page,
    farline,
    shots,
    openOther: open,
    shoot,
    visit: async (path, state = path.replace(/^\//, '').replaceAll('/', '-') || 'index') => {
      await page.goto(path)
      await page.waitForLoadState('networkidle')
      await expect(page.locator('h1').first()).toBeAttached()
      await page.evaluate(scrollThrough)
      await shoot(state)
    },
    close: async () => {
      await Promise.all(contexts.map(context => context.close()))
    },
  }
}

/** Makes the window as high as the page, so that what sticks to its lower edge lies over nothing. */
async function growTo(page: Page, view: View): Promise<void> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  if (height > view.height) await show(page, { ...view, height: Math.min(height, maxHeight) })
}

/** Runs in the browser: loads the pictures that wait to be near. */
async function scrollThrough(): Promise<void> {
  for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight) {
    window.scrollTo({ top, behavior: 'instant' })
    await new Promise(done => setTimeout(done, 50))
  }
  window.scrollTo({ top: 0, behavior: 'instant' })
}

/** Runs in the browser: no feedback prompt comes by chance; the walk through feedback sets its own chance. */
function keepChance(): void {
  const draw = Math.random
  Math.random = () => 0.3 + draw() * 0.7
}
