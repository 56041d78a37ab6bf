import { atom } from 'nanostores'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { EndReason } from '#lib/calls/end-reasons.ts'
import { freshBrowser, tokenFor } from '#support/fake-browser.ts'
import { type Call, noCall, step } from '#voice/call.ts'
import type { Placement } from './call-line.ts'

const rateOf = (isoCode: string, ourRate: number, kind: string) => ({
  isoCode,
  ourRate,
  kind,
  freeMinutes: 1,
})
/** What the server answers by path. */
const rates: Readonly<Record<string, object>> = {
  '/api/rates/number/%2B2347027123456': rateOf('NG', 0.31, 'special'),
  '/api/rates/number/%2B2348031234567': rateOf('NG', 0.12, 'mobile'),
  '/api/rates/number/%2B61147123456': rateOf('AU', 1.9, 'special'),
  '/api/rates/number/%2B12125550100': rateOf('US', 0.02, 'landline'),
  '/api/rates/number/%2B8801712345678': { ...rateOf('BD', 0.6, 'mobile'), freeMinutes: 0 },
}
const user = {
  id: 'u1',
  email: 'a@example.com',
  email_verified: true,
  credits: 5,
  has_used_free_call: true,
  auto_topup_enabled: false,
  can_call: true,
  hide: false,
  has_submitted_feedback: false,
  has_made_call: true,
  hasSavedPaymentMethod: false,
}

/** A page that just loaded, whose server is slow with the token; its line records the calls placed. */
async function openPage({ stored, me = {} }: { readonly stored: boolean; readonly me?: object }) {
  vi.resetModules()
  const browser = freshBrowser()
  if (stored) localStorage.setItem('token', tokenFor(-60))
  const refreshed = Promise.withResolvers<Response>()
  vi.stubGlobal('fetch', (path: string) => {
    if (path === '/api/auth/refresh-token') return refreshed.promise
    if (path === '/api/protected/me') return Promise.resolve(Response.json(me))
    const rate = rates[path]
    return Promise.resolve(rate ? Response.json(rate) : Response.json({}, { status: 404 }))
  })
  const $call = atom<Call>(noCall)
  const placed: string[] = []
  const costs: Promise<number | null>[] = []
  const admissions: (EndReason | null)[] = []
  const callLine = {
    place: async ({ callee, rate, admission }: Placement) => {
      placed.push(callee.e164)
      costs.push(rate)
      $call.set(step($call.get(), { kind: 'dialled', attempt: placed.length, callee }))
      if (admission !== undefined) admissions.push(await admission)
    },
  }
  vi.doMock('#islands/dialler/call/call.ts', () => ({ $call, callLine }))
  const [dial, rules, { placeCall }, price, notice] = await Promise.all([
    import('../number/dial.ts'),
    import('#shared/numbers/phone-rules.ts'),
    import('./place-call.ts'),
    import('./price-question.ts'),
    import('../notice.ts'),
  ])
  return {
    ...browser,
    ...dial,
    ...rules,
    ...price,
    ...notice,
    placeCall,
    placed,
    costs,
    admissions,
    $call,
    refreshed,
  }
}

const letIn = () => Response.json({ token: tokenFor(900) })
const turnedAway = () => Response.json({}, { status: 401 })

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})
afterEach(() => {
  vi.doUnmock('#islands/dialler/call/call.ts')
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('the press of Call while the session starts', () => {
  test('shows the call at once to whoever has a token, for the number as it was', async () => {
    const page = await openPage({ stored: true })
    await page.loadPhoneRules()
    page.setNumber('2125550100')
    const placing = page.placeCall()
    expect(page.placed).toEqual(['+12125550100'])
    page.setNumber('2125550111')
    page.refreshed.resolve(letIn())
    await placing
    expect(page.placed).toEqual(['+12125550100'])
    expect(page.admissions).toEqual([null])
  })

  test('sends whoever turns out to be a visitor to sign up, but not after hanging up', async () => {
    for (const hungUp of [false, true]) {
      const page = await openPage({ stored: true })
      await page.loadPhoneRules()
      page.setNumber('2125550100')
      const placing = page.placeCall()
      if (hungUp) page.$call.set(noCall)
      page.refreshed.resolve(turnedAway())
      await placing
      expect(page.admissions).toEqual([{ kind: 'refused', message: 'Sign up to start calling' }])
      expect(page.visited).toEqual(hungUp ? [] : ['/register'])
    }
  })

  test('shows no call to a visitor', async () => {
    const page = await openPage({ stored: false })
    await page.loadPhoneRules()
    page.setNumber('2125550100')
    const placing = page.placeCall()
    page.refreshed.resolve(turnedAway())
    await placing
    expect(page.placed).toEqual([])
    expect(page.visited).toEqual(['/register'])
    expect(JSON.parse(sessionStorage.getItem('toast') ?? 'null')).toEqual({
      type: 'info',
      message: 'Sign up to start calling',
    })
  })

  test('uses the number at the press, even if the numbering plans are not loaded yet', async () => {
    const page = await openPage({ stored: true })
    page.setNumber('2125550100')
    const placing = page.placeCall()
    page.setNumber('2125550111')
    page.refreshed.resolve(letIn())
    await placing
    expect(page.placed).toEqual(['+12125550100'])
  })

  test('pressed again before anything shows, places the last number and no other', async () => {
    const page = await openPage({ stored: true })
    page.setNumber('2125550100')
    const first = page.placeCall()
    page.setNumber('2125550111')
    const second = page.placeCall()
    page.refreshed.resolve(letIn())
    await Promise.all([first, second])
    expect(page.placed).toEqual(['+12125550111'])
  })
})

describe('a dear range', () => {
  /** Signed in, the number entered; requests and calls come a moment later. */
  async function press(number: string, me: object = user) {
    const page = await openPage({ stored: true, me })
    page.refreshed.resolve(letIn())
    page.setNumber(number)
    const placing = page.placeCall()
    return { ...page, placing }
  }
  const asked = async ({ $priceQuestion }: Awaited<ReturnType<typeof press>>) => {
    await expect.poll(() => $priceQuestion.get()).not.toBeNull()
    return $priceQuestion.get() ?? expect.fail('nothing was asked')
  }

  test('is called once its price was accepted, and not called otherwise', async () => {
    for (const accepted of [true, false]) {
      const page = await press('+2347027123456')
      const question = await asked(page)
      expect(question.microUsdPerMinute).toBe(310_000)
      expect(page.placed).toEqual([])
      page.answerPrice(question, accepted)
      await page.placing
      expect(page.placed).toEqual(accepted ? ['+2347027123456'] : [])
    }
  })

  test('of any country asks, whether or not its rate was there at the press', async () => {
    const page = await press('+61147123456')
    expect((await asked(page)).microUsdPerMinute).toBe(1_900_000)
    expect(page.placed).toEqual([])
  })

  test('whose price cannot be read is not called, and says so', async () => {
    const page = await openPage({ stored: true, me: user })
    page.refreshed.resolve(letIn())
    const { fetch } = globalThis
    vi.stubGlobal('fetch', (path: string) =>
      path.startsWith('/api/rates/') ? Promise.reject(new TypeError('no network')) : fetch(path),
    )
    await page.loadPhoneRules()
    page.setNumber('+61147123456')
    await page.placeCall()
    expect(page.placed).toEqual([])
    expect(page.$notice.get()?.text).toContain('could not read the price')
  })

  test('asks nothing where the price is ordinary, or the call is free', async () => {
    const ordinary = await press('+2348031234567')
    await ordinary.placing
    expect(ordinary.placed).toEqual(['+2348031234567'])
    const free = await press('+2347027123456', { ...user, has_used_free_call: false })
    await free.placing
    expect(free.placed).toEqual(['+2347027123456'])
  })
})

describe('what a call costs', () => {
  test.each([
    ['its rate', '+12125550100', true, 20_000],
    ['nothing on the free call', '+12125550100', false, 0],
    ['its rate where the free call is not worth it', '+8801712345678', false, 600_000],
    ['what nobody knows where no rate can be read', '+442079460958', true, null],
  ] as const)('is %s', async (_, number, has_used_free_call, costs) => {
    const page = await openPage({ stored: true, me: { ...user, has_used_free_call } })
    page.refreshed.resolve(letIn())
    page.setNumber(number)
    await page.placeCall()
    expect(await page.costs.at(0)).toBe(costs)
  })
})

describe('where the server did not make a promised call free', () => {
  test('the next one costs its rate, and an expensive range asks for confirmation', async () => {
    const page = await openPage({ stored: true, me: { ...user, has_used_free_call: false } })
    page.refreshed.resolve(letIn())
    const { markFreeCallRejected } = await import('./free-call.ts')
    page.setNumber('2125550100')
    await page.placeCall()
    expect(await page.costs.at(-1)).toBe(0)
    markFreeCallRejected()
    page.$call.set(noCall)
    await page.placeCall()
    expect(await page.costs.at(-1)).toBe(20_000)
    page.$call.set(noCall)
    page.setNumber('+2347027123456')
    void page.placeCall()
    await expect.poll(() => page.$priceQuestion.get()?.microUsdPerMinute).toBe(310_000)
    expect(page.placed).toHaveLength(2)
  })
})

describe('what a press of Call waits for', () => {
  /** Its server does not answer until released. */
  async function pressSlowly() {
    vi.useFakeTimers()
    const page = await openPage({ stored: true, me: user })
    const { $placing } = await import('./place-call.ts')
    await page.loadPhoneRules()
    const seen: boolean[] = []
    $placing.listen(placing => seen.push(placing))
    page.setNumber('+2347027123456')
    return { ...page, $placing, seen, placing: page.placeCall() }
  }
  afterEach(() => vi.useRealTimers())

  test('shows from 300 ms on, until there is a question, and the same press changes nothing', async () => {
    const page = await pressSlowly()
    await vi.advanceTimersByTimeAsync(299)
    expect(page.$placing.get()).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(page.$placing.get()).toBe(true)
    const again = page.placeCall()
    await again
    expect(page.$placing.get()).toBe(true)
    page.refreshed.resolve(letIn())
    await vi.waitFor(() => expect(page.$priceQuestion.get()).not.toBeNull())
    expect(page.$placing.get()).toBe(false)
    const question = page.$priceQuestion.get() ?? expect.fail('nothing was asked')
    page.answerPrice(question, true)
    await page.placing
    expect(page.placed).toEqual(['+2347027123456'])
    await vi.advanceTimersByTimeAsync(1000)
    expect(page.seen).toEqual([true, false])
  })

  test('shows nothing if it is over sooner, and ends with a rejection; then Call can be pressed again', async () => {
    const page = await pressSlowly()
    await vi.advanceTimersByTimeAsync(200)
    page.refreshed.resolve(turnedAway())
    await page.placing
    await vi.advanceTimersByTimeAsync(1000)
    expect(page.seen).toEqual([])
    expect(page.visited).toEqual(['/register'])
    await page.placeCall()
    expect(page.visited).toEqual(['/register', '/register'])
  })
})

describe('a question about a price', () => {
  const callee = {
    e164: '+2347027123456',
    formatted: '+234 702 712 3456',
    extension: '',
    country: { name: 'Nigeria', isoCode: 'NG', emoji: '🇳🇬', dialCode: '+234' },
  }

  test('an attempt that another one replaces was not accepted, and is not answered for the other', async () => {
    const { $priceQuestion, answerPrice, confirmPrice } = await openPage({ stored: true })
    const first = { callee, microUsdPerMinute: 310_000 }
    const second = { callee, microUsdPerMinute: 320_000 }
    const earlier = confirmPrice(first)
    const later = confirmPrice(second)
    expect(await earlier).toBe(false)
    answerPrice(first, true)
    expect($priceQuestion.get()).toBe(second)
    answerPrice(second, false)
    expect(await later).toBe(false)
    expect($priceQuestion.get()).toBeNull()
  })
})

describe('the order of checks', () => {
  test('restricted comes before emergency, emergency before the rest; help is a telephone away', async () => {
    const notices = []
    for (const can_call of [false, true]) {
      const page = await openPage({ stored: true, me: { ...user, can_call } })
      page.refreshed.resolve(letIn())
      const { loadUser } = await import('#session/user.ts')
      await loadUser()
      page.setNumber('911')
      await page.placeCall()
      expect(page.placed).toEqual([])
      notices.push(page.$notice.get())
    }
    expect(notices).toEqual([
      { tone: 'bad', text: expect.stringContaining('restricted from making calls') },
      { tone: 'bad', text: expect.stringContaining('emergency services'), remedy: 'number', phone: '911' },
    ])
  })

  test('a visitor comes before all of them', async () => {
    const page = await openPage({ stored: false })
    page.refreshed.resolve(turnedAway())
    page.setNumber('911')
    await page.placeCall()
    expect(page.visited).toEqual(['/register'])
    expect(page.$notice.get()).toBeNull()
  })

  test('the dial code comes before the rest of the number, and nothing of it is placed', async () => {
    const said: unknown[] = []
    for (const number of ['+44999', '+9991', '+99', '2125']) {
      const page = await openPage({ stored: true, me: user })
      page.refreshed.resolve(letIn())
      page.setNumber(number)
      await page.placeCall()
      expect(page.placed).toEqual([])
      said.push(page.$notice.get())
    }
    expect(said).toEqual([
      expect.objectContaining({ phone: '999' }),
      { tone: 'bad', text: 'This destination is currently not supported.', remedy: 'number' },
      { tone: 'bad', text: 'This number is too short. Check it and try again.', remedy: 'number' },
      {
        tone: 'bad',
        text: 'Unrecognised number. Please check the number and try again.',
        remedy: 'number',
      },
    ])
  })
})
