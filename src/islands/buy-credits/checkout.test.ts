import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { exampleUser as user } from '#support/example-user.ts'
import { freshBrowser, tokenFor } from '#support/fake-browser.ts'

interface Sent {
  readonly path: string
  readonly body: unknown
}

const hostedPage = 'https://pay.example/session/1'
const rejection = (code: string, message: string) => ({ error: { code, message } })

let sent: Sent[]
let visited: string[]
let page: EventTarget
/** What the server answers to a checkout. */
let answer: () => Promise<Response> | Response

beforeEach(() => {
  vi.resetModules()
  sent = []
  answer = () => Response.json({ url: hostedPage })
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    sent.push({ path, body: typeof init.body === 'string' ? JSON.parse(init.body) : null })
    if (path === '/api/protected/me') return Response.json(user)
    if (path === '/api/auth/refresh-token') return Response.json({}, { status: 401 })
    return answer()
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** The page as it was just loaded, with its form as served unless somebody was quicker. */
async function openPage({ signedIn = true, at = '/buy-credits' } = {}) {
  const browser = freshBrowser()
  visited = browser.visited
  page = browser.window
  const addresses: string[] = []
  Object.assign(browser.window, {
    history: {
      state: null,
      replaceState: (_: unknown, __: string, url: URL | string) => addresses.push(`${url}`),
    },
  })
  Object.assign((browser.window as unknown as Window).location, { href: `http://localhost${at}` })
  if (signedIn) localStorage.setItem('token', tokenFor(600))
  const checkout = await import('./checkout.ts')
  const { $toasts } = await import('#session/toasts.ts')
  const said = () => $toasts.get().map(({ type, message }) => [type, message])
  return { ...checkout, said, addresses }
}

const checkouts = () => sent.filter(({ path }) => path === '/api/payments/create-checkout-session')

describe('choosing', () => {
  test('starts at $25', async () => {
    const { $checkout } = await openPage()
    expect($checkout.get().choice).toEqual({ kind: 'preset', usd: 25 })
  })

  test('a custom amount clears the preset, a preset the custom amount', async () => {
    const { $checkout, choosePreset, typeAmount } = await openPage()
    typeAmount('60')
    expect($checkout.get().choice).toEqual({ kind: 'custom', text: '60' })
    choosePreset(10)
    expect($checkout.get().choice).toEqual({ kind: 'preset', usd: 10 })
  })

  test.each([
    ['-5', 'Minimum custom amount is $5'],
    ['4001', 'Maximum custom amount is $4000'],
    ['7.5', 'Whole dollars only, without cents'],
  ])('%s is rejected: %s', async (text, message) => {
    const { $checkout, typeAmount, said } = await openPage()
    typeAmount('40')
    typeAmount(text)
    expect($checkout.get().choice).toEqual({ kind: 'custom', text: '40' })
    expect(said()).toEqual([['warning', message]])
  })

  test('keeps what was chosen before this ran', async () => {
    const { $checkout, openCheckout } = await openPage()
    openCheckout({ kind: 'custom', text: '37' })
    expect($checkout.get().choice).toEqual({ kind: 'custom', text: '37' })
  })
})

describe('Secure Checkout', () => {
  test('sends what the contract says and goes to the hosted page, whose Back finds the amount', async () => {
    vi.stubGlobal('referralValue', 'friend-1')
    const { choosePreset, checkOut, addresses } = await openPage()
    const { watchReferral } = await import('#shared/referral-code.ts')
    watchReferral('referralValue')
    choosePreset(50)
    await checkOut()
    expect(checkouts().map(({ body }) => body)).toEqual([
      { amount: 50, credits: 52, referralId: 'friend-1', autoTopUpEnabled: false },
    ])
    expect(visited).toEqual([hostedPage])
    expect(addresses).toEqual(['/buy-credits?amount=50'])
  })

  test('pressed twice, it opens one checkout', async () => {
    const { checkOut, $checkout } = await openPage()
    const both = [checkOut(), checkOut()]
    expect($checkout.get().phase).toBe('opening')
    await Promise.all(both)
    await checkOut() // on the way
    expect(checkouts()).toHaveLength(1)
    expect(visited).toHaveLength(1)
  })

  test('a page that the browser brings back from its memory works again, with what the server now says', async () => {
    const { checkOut, openCheckout, $checkout } = await openPage()
    openCheckout({ kind: 'preset', usd: 25 })
    await checkOut()
    const asked = sent.filter(({ path }) => path === '/api/protected/me').length
    page.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
    expect($checkout.get().phase).toBe('choosing')
    await vi.waitFor(() =>
      expect(sent.filter(({ path }) => path === '/api/protected/me')).toHaveLength(asked + 1),
    )
    await checkOut()
    expect(checkouts()).toHaveLength(2)
  })

  test('a visit to it that was stopped gives the button back', async () => {
    const { checkOut, $checkout } = await openPage()
    vi.useFakeTimers()
    await checkOut()
    expect($checkout.get().phase).toBe('opening')
    vi.advanceTimersByTime(20_000)
    expect($checkout.get().phase).toBe('choosing')
  })

  test('a visitor is sent to sign up, and from there back to the amount', async () => {
    const { checkOut, choosePreset } = await openPage({ signedIn: false })
    choosePreset(100)
    await checkOut()
    expect(visited).toEqual(['/register'])
    expect(JSON.parse(sessionStorage.getItem('toast') ?? '')).toEqual({
      type: 'info',
      message: 'Sign up to buy credits',
    })
    const { consumeReturnPath } = await import('#session/return-path.ts')
    expect(consumeReturnPath('http://localhost/register', '/call')).toBe('/buy-credits?amount=100')
    expect(checkouts()).toEqual([])
  })

  test.each(['', '4'])('with %j as its amount it asks for one', async text => {
    const { checkOut, typeAmount, said, $checkout } = await openPage()
    typeAmount(text)
    await checkOut()
    // The field says it.
    expect(said()).toEqual([])
    expect($checkout.get()).toMatchObject({ phase: 'choosing', refused: true })
    expect(checkouts()).toEqual([])
  })

  test.each([
    ['an answer without an address', () => Response.json({}), 'Could not create checkout session'],
    ['a failure', () => Response.json({}, { status: 500 }), 'Could not create checkout session'],
    [
      'no answer',
      () => Promise.reject(new TypeError('failed to fetch')),
      'An error occurred. Please try again.',
    ],
    [
      'a rejection, which says what to do',
      () => Response.json(rejection('too_many_checkouts', 'Wait an hour.'), { status: 429 }),
      'Wait an hour.',
    ],
    [
      'no provider',
      () => Response.json(rejection('payments_unavailable', 'Try again in a minute.'), { status: 503 }),
      'Try again in a minute.',
    ],
  ])('%s', async (_, give, message) => {
    answer = give
    const { checkOut, said, $checkout } = await openPage()
    await checkOut()
    expect(said()).toEqual([['error', message]])
    expect(visited).toEqual([])
    expect($checkout.get().phase).toBe('choosing')
    answer = () => Response.json({ url: hostedPage })
    await checkOut()
    expect(visited).toEqual([hostedPage])
  })

  test('a session that is over leads to the login, and back', async () => {
    answer = () => Response.json(rejection('unauthorized', 'Please log in to go on.'), { status: 401 })
    const { checkOut } = await openPage()
    await checkOut()
    expect(visited).toEqual(['/login'])
  })
})

test('the way back from a checkout that was cancelled says so, keeps the amount, and loses its parameter', async () => {
  const { openCheckout, said, addresses } = await openPage({ at: '/buy-credits?payment=cancelled&amount=50' })
  openCheckout({ kind: 'preset', usd: 50 })
  expect(addresses).toEqual(['http://localhost/buy-credits?amount=50'])
  expect(said()).toEqual([['info', 'Checkout cancelled. Nothing was charged.']])
})
