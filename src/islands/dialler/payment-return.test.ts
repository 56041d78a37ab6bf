import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { exampleUser } from '#support/example-user.ts'
import { freshBrowser, tokenFor } from '#support/fake-browser.ts'

const order = '0192f6a4-7c1e-4b7e-9a53-3f1d2c4b5a69'
const user = { ...exampleUser, credits: 57 }
const payment =
  (state: string, held = 0) =>
  () =>
    Response.json({ id: order, state, amount: 50, credits: 52, held })

let asked: string[]
/** What the server answers about the payment, one after the other; the last one from then on. */
let answers: (() => Response | Promise<Response>)[]

beforeEach(() => {
  vi.resetModules()
  vi.useFakeTimers()
  asked = []
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Opens the dialler at an address. */
async function open(address: string, signedIn = true, kept: Readonly<Record<string, string>> = {}) {
  const browser = freshBrowser()
  for (const [key, value] of Object.entries(kept)) sessionStorage.setItem(key, value)
  const replaced: string[] = []
  Object.assign((browser.window as unknown as Window).location, { href: address })
  Object.assign(browser.window, {
    history: { state: null, replaceState: (_: unknown, __: string, url: URL) => replaced.push(`${url}`) },
  })
  if (signedIn) localStorage.setItem('token', tokenFor(86_400))
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path)
    if (path === '/api/protected/me') return Response.json(user)
    if (!path.startsWith('/api/payments/')) return Response.json({}, { status: 401 })
    return ((answers.length > 1 ? answers.shift() : answers[0]) ?? payment('waiting'))()
  })
  const { followPayment } = await import('./payment-return.ts')
  const { $toasts } = await import('#session/toasts.ts')
  const { $notice, notify } = await import('./notice.ts')
  const { $dial, $extension } = await import('./number/dial.ts')
  const done = followPayment()
  return {
    done,
    replaced,
    notify,
    toasts: () => $toasts.get().map(({ type, message }) => [type, message]),
    notice: () => $notice.get()?.text ?? null,
    dial: () => [$dial.get().country.isoCode, $dial.get().typed, $extension.get()],
  }
}
const back = `http://localhost/call?payment=success&order=${order}&country=in#x`
const asksForPayment = () => asked.filter(path => path === `/api/payments/${order}`).length

test('says that the credits are there once they are, and asks for the true balance', async () => {
  answers = [payment('paid')]
  const page = await open(back)
  await vi.advanceTimersByTimeAsync(0)
  await page.done
  expect(page.replaced).toEqual(['http://localhost/call?country=in#x'])
  expect(page.toasts()).toEqual([['success', 'Credits added successfully!']])
  expect(page.notice()).toBeNull()
  expect(asked).toContain('/api/protected/me')
})

test('waits while the event is late, longer each time, without network too', async () => {
  answers = [
    payment('waiting'),
    () => Promise.reject(new TypeError('failed to fetch')),
    () => Response.json({}, { status: 503 }),
    payment('paid'),
  ]
  const page = await open(back)
  await vi.advanceTimersByTimeAsync(100)
  expect(page.notice()).toBe('Waiting for your payment to be confirmed. Your credits will appear here.')
  expect(page.toasts()).toEqual([])
  await vi.advanceTimersByTimeAsync(3000)
  expect(asksForPayment()).toBe(3)
  await vi.advanceTimersByTimeAsync(1000)
  await page.done
  expect(page.notice()).toBeNull()
  expect(page.toasts()).toEqual([['success', 'Credits added successfully!']])
})

test('gives up after some minutes, and says so', async () => {
  answers = [payment('waiting')]
  const page = await open(back)
  await vi.advanceTimersByTimeAsync(5 * 60_000)
  await page.done
  expect(page.notice()).toBe("Your payment isn't confirmed yet. Check again later, or contact support.")
  expect(asksForPayment()).toBeLessThan(20)
})

test('leaves alone what has taken the place of its note', async () => {
  answers = [payment('waiting'), payment('paid')]
  const page = await open(back)
  await vi.advanceTimersByTimeAsync(100)
  page.notify({ tone: 'bad', text: 'The line is busy.' })
  await vi.advanceTimersByTimeAsync(1000)
  await page.done
  expect(page.notice()).toBe('The line is busy.')
})

test.each([
  ['failed', "The payment didn't go through. No credits were added."],
  ['expired', 'The checkout ended without a payment. Nothing was charged.'],
])('of a payment that %s it says what happened', async (state, text) => {
  answers = [payment(state)]
  const page = await open(back)
  await vi.advanceTimersByTimeAsync(0)
  await page.done
  expect(page.notice()).toBe(text)
  expect(page.toasts()).toEqual([])
})

test.each([
  [2, [['success', 'Credits added successfully!']], '$2.00'],
  [52, [], '$52.00'],
])('of %i credits that wait for a review it says so', async (held, toasts, sum) => {
  answers = [payment('paid', held)]
  const page = await open(back)
  await vi.advanceTimersByTimeAsync(0)
  await page.done
  expect(page.toasts()).toEqual(toasts)
  expect(page.notice()).toBe(`${sum} of your payment will arrive after a short review. We'll e-mail you.`)
})

test.each([
  ['without an order', 'http://localhost/call?payment=success'],
  ['with one that is none', 'http://localhost/call?payment=success&order=me'],
])('typed by hand %s, it says nothing and loses its parameters', async (_, address) => {
  const page = await open(address)
  await page.done
  expect(page.replaced).toEqual(['http://localhost/call'])
  expect([page.toasts(), page.notice(), asked]).toEqual([[], null, []])
})

test('says nothing about another user’s payment', async () => {
  answers = [() => Response.json({}, { status: 404 })]
  const page = await open(back)
  await vi.advanceTimersByTimeAsync(60_000)
  await page.done
  expect([page.toasts(), page.notice(), asksForPayment()]).toEqual([[], null, 1])
})

test('asks a signed-out visitor to log in', async () => {
  const page = await open(back, false)
  await vi.advanceTimersByTimeAsync(0)
  await page.done
  expect(page.notice()).toBe('Log in to see whether your credits have arrived.')
})

test('any other address says nothing', async () => {
  const page = await open('http://localhost/call')
  await page.done
  expect([page.replaced, page.toasts(), asked]).toEqual([[], [], []])
})

test('a cancelled checkout charged nothing, and says so', async () => {
  const page = await open('http://localhost/call?payment=cancelled')
  await page.done
  expect(page.replaced).toEqual(['http://localhost/call'])
  expect(page.toasts()).toEqual([['info', 'Checkout cancelled. Nothing was charged.']])
  expect(asked).toEqual([])
})

test('whoever was to be called before the checkout is filled in, also when it is cancelled', async () => {
  const page = await open('http://localhost/call?payment=cancelled', true, {
    callAfterCheckout: JSON.stringify({
      e164: '+919876543210',
      isoCode: 'IN',
      extension: ',,12#',
      userId: null,
      keptAtMs: Date.now(),
    }),
  })
  await page.done
  expect(page.dial()).toEqual(['IN', '+919876543210', ',,12#'])
})
