import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Resource } from '#session/private-resource.ts'
import {
  answer,
  freshBrowser,
  refuse,
  serve,
  storageEvent,
  type TestServer,
  tokenFor,
} from '#support/fake-browser.ts'

let server: TestServer
let browser: ReturnType<typeof freshBrowser>
/** Whose the receipts are. */
let owner: string
/** What every answer waits for. */
let held: Promise<void>

const time = '2025-11-20T14:02:00.000Z'
const callReceipt = {
  call: {
    id: 'a',
    to: '+12125550100',
    isoCode: 'US',
    state: 'ended',
    placedAt: time,
    answeredAt: time,
    endedAt: time,
    seconds: 10,
    ratePerMinute: 0.02,
    minutesCharged: 1,
    cost: 0.02,
    free: false,
    outcome: 'completed',
  },
  email: 'anna@example.com',
  charges: [],
  gift: null,
  freeCallLeft: false,
  credit: null,
  claim: null,
}
const paymentReceipt = {
  number: 'F-2025-0001',
  paidAt: time,
  name: null,
  email: 'anna@example.com',
  card: null,
  reference: 'pi_1',
  automatic: false,
  giftFor: null,
  amount: 25,
  bonus: 0,
  held: 0,
  refunded: 0,
  vat: null,
}

const stateOf = (shown: Resource<object | null>) =>
  shown.state === 'ready' && shown.value === null ? 'missing' : shown.state

const kinds = [
  {
    kind: 'a call',
    path: '/call-receipt?id=a',
    async load() {
      const { $callReceipt, openCallReceipt } = await import('./call-receipt-store.ts')
      return { state: () => stateOf($callReceipt.get()), open: openCallReceipt }
    },
  },
  {
    kind: 'a payment',
    path: '/receipt?id=p',
    async load() {
      const { $receipt, openReceipt } = await import('./payment-receipt-store.ts')
      return { state: () => stateOf($receipt.get()), open: openReceipt }
    },
  },
]

/** Another tab logs in, or out with null. */
function inAnotherTab(token: string | null): void {
  if (token === null) localStorage.removeItem('token')
  else localStorage.setItem('token', token)
  browser.window.dispatchEvent(storageEvent('token'))
}

beforeEach(async () => {
  vi.resetModules()
  browser = freshBrowser()
  owner = tokenFor(60)
  held = Promise.resolve()
  localStorage.setItem('token', owner)
  server = await serve(({ url = '', headers }, response) => {
    if (url === '/api/auth/refresh-token') return refuse(response, 401, 'no_session')
    void held.then(() => {
      if (headers.authorization !== `Bearer ${owner}`) return refuse(response, 404, 'not_found')
      answer(response, 200, url.startsWith('/api/calls/') ? callReceipt : paymentReceipt)
    })
  })
})

describe.each(kinds)('the receipt of $kind', ({ path, load }) => {
  async function openPage() {
    const { location } = browser.window as unknown as Window
    const [pathname, search] = path.split('?')
    Object.assign(location, { href: `http://localhost${path}`, pathname, search: `?${search}` })
    return load()
  }
  const loginPath = `/login?next=${encodeURIComponent(path)}`

  test('goes when its owner logs out in another tab, and the page asks to log in', async () => {
    const page = await openPage()
    await page.open()
    expect(page.state()).toBe('ready')
    inAnotherTab(null)
    expect(page.state()).toBe('loading')
    await vi.waitFor(() => expect(browser.visited).toEqual([loginPath]))
  })

  test('is not shown to another user who logs in, even if it was still loading', async () => {
    const page = await openPage()
    let arrive = () => {}
    held = new Promise<void>(resolve => {
      arrive = resolve
    })
    const opening = page.open()
    await vi.waitFor(() => expect(server.requests).toHaveLength(1))
    held = Promise.resolve()
    inAnotherTab(tokenFor(60))
    await vi.waitFor(() => expect(page.state()).toBe('missing'))
    arrive()
    await opening
    expect(page.state()).toBe('missing')
  })

  test('sends a visitor to log in once', async () => {
    localStorage.removeItem('token')
    const page = await openPage()
    await page.open()
    expect(browser.visited).toEqual([loginPath])
  })
})
