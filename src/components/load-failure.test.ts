import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MemoryStorage } from '#support/fake-browser.ts'

/** As much of a page as watching it needs. */
interface TestPage {
  /** How often it was reloaded. */
  reloads: number
  /** Whether it says that a part is missing. */
  says: boolean
  press: () => void
  readonly dataset: { call?: string; optional?: string }
  readonly window: EventTarget
  readonly document: EventTarget
}

let page: TestPage
/** What the tab remembers from page to page. */
let tab: Storage
let logged: unknown[]
let observers: Set<() => void>
let nowMs = 1_800_000_000_000

const otherPage = { target: '', origin: 'https://farline.example', pathname: '/faq', search: '' }

/** In a link, unless that is null. */
class PressedElement {
  readonly link: object | null

  constructor(link: Partial<typeof otherPage> | null) {
    this.link = link && { ...otherPage, hasAttribute: () => false, ...link }
  }

  closest() {
    return this.link
  }
}

class HTMLScriptElement {
  readonly src: string
  constructor(src: string) {
    this.src = src
  }
}

/** A page that just loaded, in the tab of the one before. */
async function load(memory: () => Storage): Promise<void> {
  vi.resetModules()
  observers = new Set()
  const window = new EventTarget()
  const dataset: TestPage['dataset'] = {}
  const note = { removeAttribute: () => (page.says = true) }
  const button = { addEventListener: (_: string, press: () => void) => (page.press = press) }
  const document = Object.assign(new EventTarget(), {
    documentElement: { dataset },
    querySelector: (selector: string) => (selector === '.failed' ? note : button),
  })
  page = { reloads: 0, says: false, press: () => undefined, dataset, window, document }
  vi.stubGlobal('document', document)
  vi.stubGlobal('location', {
    origin: 'https://farline.example',
    pathname: '/call',
    search: '',
    reload: () => (page.reloads += 1),
  })
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window))
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('Element', PressedElement)
  vi.stubGlobal('HTMLScriptElement', HTMLScriptElement)
  vi.stubGlobal('ErrorEvent', class ErrorEvent extends Event {})
  vi.stubGlobal(
    'MutationObserver',
    class {
      readonly look: () => void
      constructor(look: () => void) {
        this.look = look
      }
      observe = () => observers.add(this.look)
      disconnect = () => observers.delete(this.look)
    },
  )
  Object.defineProperty(globalThis, 'sessionStorage', { configurable: true, get: memory })
  const { watchLoadFailures } = await import('./load-failure.ts')
  watchLoadFailures(() => nowMs)
}

beforeEach(async () => {
  logged = []
  vi.spyOn(console, 'error').mockImplementation((...texts) => void logged.push(texts))
  tab = new MemoryStorage()
  await again()
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** The next page of the tab, this much later. */
function again(laterMs = 60_000): Promise<void> {
  nowMs += laterMs
  return load(() => tab)
}
const missing = (name: string) =>
  new TypeError(`Failed to fetch dynamically imported module: https://farline.example/_astro/${name}`)

function reject(reason: unknown): void {
  page.window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason }))
}
function press(link: Partial<typeof otherPage> | null, keys: { ctrlKey?: boolean } = {}): void {
  const event = Object.assign(new Event('click'), keys)
  Object.defineProperty(event, 'target', { value: new PressedElement(link) })
  page.window.dispatchEvent(event)
}
function setCall(live: boolean): void {
  if (live) page.dataset.call = 'live'
  else delete page.dataset.call
  for (const look of observers) look()
}

test.each([
  'Failed to fetch dynamically imported module: https://farline.example/_astro/phone.a1.js',
  'error loading dynamically imported module: https://farline.example/_astro/phone.a1.js',
  'Importing a module script failed.',
  'Unable to preload CSS for /_astro/phone.a1.css',
  'Loading chunk 7 failed.',
])('logs a chunk that does not load, in the message of each browser, and reloads the page: %s', message => {
  reject(new Error(message))
  expect(logged).toHaveLength(1)
  expect([page.reloads, page.says]).toEqual([1, false])
})

test('reloads also if the bundler, an island or a script element reports it', async () => {
  const reports = [
    () =>
      page.window.dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: missing('a.js') })),
    () =>
      page.document.dispatchEvent(
        new CustomEvent('astro:hydration-error', { detail: { error: missing('b.js') } }),
      ),
    () => {
      const event = new Event('error')
      Object.defineProperty(event, 'target', { value: new HTMLScriptElement('/_astro/c.js') })
      page.window.dispatchEvent(event)
    },
  ]
  for (const report of reports) {
    report()
    expect([page.reloads, page.says]).toEqual([1, false])
    await again()
  }
})

test('reported in two ways at once, it reloads once and shows no message before', () => {
  page.window.dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: missing('a.js') }))
  reject(missing('a.js'))
  expect([page.reloads, page.says]).toEqual([1, false])
})

test('a missing chunk that has a substitute changes nothing', () => {
  page.dataset.optional = ''
  page.window.dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: missing('sheet.js') }))
  expect([page.reloads, page.says]).toEqual([0, false])
  delete page.dataset.optional
  page.window.dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: missing('a.js') }))
  expect(page.reloads).toBe(1)
})

test('a reload that did not help is not repeated: the page says so, and reloads when asked', async () => {
  reject(missing('a.js'))
  await again()
  reject(missing('a.js'))
  expect([page.reloads, page.says]).toEqual([0, true])
  page.press()
  expect(page.reloads).toBe(1)
})

test('reloads the page only for the first of several missing chunks', async () => {
  reject(missing('a.js'))
  await again(59_999)
  reject(missing('b.js'))
  expect([page.reloads, page.says]).toEqual([0, true])
  await again()
  reject(missing('c.js'))
  expect([page.reloads, page.says]).toEqual([1, false])
})

test('the same piece of another deploy is another piece', async () => {
  reject(missing('phone.a1.js'))
  await again()
  reject(missing('phone.b2.js'))
  expect(page.reloads).toBe(1)
})

test('without a network, or a memory for what was reloaded, the page stays and says so', async () => {
  vi.stubGlobal('navigator', { onLine: false })
  reject(missing('a.js'))
  expect([page.reloads, page.says]).toEqual([0, true])
  await load(() => {
    throw new DOMException('storage is blocked', 'SecurityError')
  })
  reject(missing('a.js'))
  expect([page.reloads, page.says]).toEqual([0, true])
})

test('a call is not cut off and not talked over: the page says so once it has ended', () => {
  setCall(true)
  reject(missing('twilio.js'))
  expect(logged).toHaveLength(1)
  setCall(true)
  expect([page.reloads, page.says]).toEqual([0, false])
  setCall(false)
  expect([page.reloads, page.says]).toEqual([0, true])
  expect(observers.size).toBe(0)
})

test.each([
  ['the browser says so', () => page.window.dispatchEvent(new Event('beforeunload'))],
  ['a link was pressed', () => press({})],
])('what is dropped because the page is left does not keep it: %s', (_, leave) => {
  vi.useFakeTimers()
  leave()
  reject(new TypeError('Importing a module script failed.'))
  nowMs += 9_999
  vi.advanceTimersByTime(9_999)
  expect([page.reloads, page.says]).toEqual([0, false])
  // It is still there, so the next page did not come.
  nowMs += 1
  vi.advanceTimersByTime(1)
  expect([page.reloads, page.says]).toEqual([1, false])
})

test.each([
  ['beside any link', () => press(null)],
  ['on a link to a place on this page', () => press({ pathname: '/call' })],
  ['on a link for another tab', () => press({ target: '_blank' })],
  ['on an e-mail address', () => press({ origin: 'null', pathname: 'help@farline.example' })],
  ['with Ctrl, for another tab', () => press({}, { ctrlKey: true })],
])('a press %s leaves no page', (_, leave) => {
  leave()
  reject(missing('a.js'))
  expect(page.reloads).toBe(1)
})

test('other errors are none of its business', () => {
  reject(new TypeError('x is not a function'))
  reject('Loading chunk 7 failed.')
  reject(undefined)
  expect([logged, page.reloads, page.says]).toEqual([[], 0, false])
})
