import { afterEach, beforeEach, expect, test, vi } from 'vitest'

/** As much of an element as the directive touches. */
class Part extends EventTarget {
  readonly clicked = vi.fn()
  readonly dataset: Record<string, string> = {}
  pressed: Part[] = []
  querySelectorAll(): Part[] {
    return this.pressed
  }
  closest(): Part {
    return this
  }
  click(): void {
    this.clicked()
  }
}

const idle: (() => void)[] = []
const hydrate = vi.fn(async () => undefined)
const load = vi.fn(async () => hydrate)
let page: EventTarget
let island: Part

async function begin(
  readyState: 'complete' | 'loading',
  window: object = { requestIdleCallback: 1 },
  pressed: Part[] = [],
) {
  page = new EventTarget()
  island = new Part()
  island.pressed = pressed
  vi.stubGlobal('Element', Part)
  vi.stubGlobal('document', { readyState })
  vi.stubGlobal('window', window)
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('requestIdleCallback', (work: () => void) => idle.push(work))
  const { default: soon } = await import('./client-soon.ts')
  await soon(load, { name: 'Calculator', value: '' }, island as unknown as HTMLElement)
}

beforeEach(() => {
  vi.useFakeTimers()
  idle.length = 0
  vi.clearAllMocks()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('loads nothing until the page has loaded and the browser is idle', async () => {
  await begin('loading')
  expect(idle).toHaveLength(0)
  page.dispatchEvent(new Event('load'))
  expect(load).not.toHaveBeenCalled()
  idle[0]?.()
  await vi.runAllTimersAsync()
  expect(hydrate).toHaveBeenCalledOnce()
})

test('does not wait for idleness where a browser cannot tell of it', async () => {
  await begin('complete', {})
  expect(load).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(200)
  expect(hydrate).toHaveBeenCalledOnce()
})

test.each(['pointerover', 'focusin', 'input'])('loads at once at %s, and once only', async touch => {
  await begin('loading')
  island.dispatchEvent(new Event(touch))
  expect(load).toHaveBeenCalledOnce()
  await vi.runAllTimersAsync()
  expect(hydrate).toHaveBeenCalledOnce()
  island.dispatchEvent(new Event(touch))
  page.dispatchEvent(new Event('load'))
  for (const work of idle) work()
  await vi.runAllTimersAsync()
  expect(load).toHaveBeenCalledOnce()
})

test('presses early pressed buttons again once the island runs', async () => {
  await begin('loading')
  island.dispatchEvent(new Event('click'))
  island.dispatchEvent(new Event('click'))
  expect(island.clicked).not.toHaveBeenCalled()
  island.dispatchEvent(new Event('focusin'))
  await vi.runAllTimersAsync()
  expect(island.clicked).toHaveBeenCalledTimes(2)
  island.dispatchEvent(new Event('click'))
  await vi.runAllTimersAsync()
  expect(island.clicked).toHaveBeenCalledTimes(2)
})

test('buttons pressed before it was there are pressed again, as often', async () => {
  const more = new Part()
  more.dataset['pressed'] = '11'
  await begin('complete', {}, [more])
  await vi.advanceTimersByTimeAsync(200)
  expect(more.clicked).toHaveBeenCalledTimes(2)
  expect(more.dataset).toEqual({})
})
