import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { letIn, openCallPage } from '#support/call-page.ts'
import { exampleUser } from '#support/example-user.ts'
import { noCall } from '#voice/call.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})
afterEach(() => {
  vi.doUnmock('#islands/dialler/call/call.ts')
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('an expensive range', () => {
  /** Signed in, the number entered; requests and calls come a moment later. */
  async function press(number: string, me: object = exampleUser) {
    const page = await openCallPage({ stored: true, me })
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
    const page = await openCallPage({ stored: true, me: exampleUser })
    page.refreshed.resolve(letIn())
    const { fetch } = globalThis
    vi.stubGlobal('fetch', (path: string) =>
      path.startsWith('/api/rates/') ? Promise.reject(new TypeError('no network')) : fetch(path),
    )
    await page.loadPhoneRules()
    page.setNumber('+61147123456')
    await page.placeCall()
    expect(page.placed).toEqual([])
    expect(page.$notice.get()?.text).toContain("couldn't get the price")
  })

  test('asks nothing where the price is ordinary, or the call is free', async () => {
    const ordinary = await press('+2348031234567')
    await ordinary.placing
    expect(ordinary.placed).toEqual(['+2348031234567'])
    const free = await press('+2347027123456', { ...exampleUser, has_used_free_call: false })
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
    const page = await openCallPage({ stored: true, me: { ...exampleUser, has_used_free_call } })
    page.refreshed.resolve(letIn())
    page.setNumber(number)
    await page.placeCall()
    expect(await page.costs.at(0)).toBe(costs)
  })
})

describe('where the server did not make a promised call free', () => {
  test('the next one costs its rate, and an expensive range asks for confirmation', async () => {
    const page = await openCallPage({ stored: true, me: { ...exampleUser, has_used_free_call: false } })
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

describe('a question about a price', () => {
  const callee = {
    e164: '+2347027123456',
    formatted: '+234 702 712 3456',
    extension: '',
    country: { name: 'Nigeria', isoCode: 'NG', emoji: '🇳🇬', dialCode: '+234' },
  }

  test('an attempt that another one replaces was not accepted, and is not answered for the other', async () => {
    const { $priceQuestion, answerPrice, confirmPrice } = await openCallPage({ stored: true })
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
