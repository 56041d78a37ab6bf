import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { $dial, deleteLast, followNumber, loadPhoneRules, pressKey, setNumber } from '#stores/dial.ts'
import { $notice, notify } from '#stores/notice.ts'
import { $rate, settleRate } from '#stores/rate.ts'

const known = { isoCode: 'US', ourRate: 0.02, kind: 'mobile', freeMinutes: 5 }
let asked: string[] = []
let answer: () => Promise<Response>

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  asked = []
  answer = async () => Response.json(known)
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path)
    return answer()
  })
  setNumber('')
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})
followNumber()

async function rest(): Promise<void> {
  await vi.advanceTimersByTimeAsync(400)
}

describe('the rate of the number in the field', () => {
  test('is not asked for below 4 characters', async () => {
    setNumber('212')
    await rest()
    expect(asked).toEqual([])
    expect($rate.get()).toEqual({ kind: 'none' })
  })

  test('is asked for once typing rests, for the number in full', async () => {
    for (const digit of '2125550100') {
      pressKey(digit)
      await vi.advanceTimersByTimeAsync(60)
    }
    await rest()
    expect(asked).toEqual(['/api/rates/number/%2B12125550100'])
    expect($rate.get()).toMatchObject({ kind: 'known', microUsdPerMinute: 20_000, freeMinutes: 5 })
  })

  test('is remembered', async () => {
    setNumber('2125550142')
    await rest()
    deleteLast()
    await rest()
    pressKey('2')
    await rest()
    expect(asked).toHaveLength(2)
  })

  test.each([
    ['the network fails', () => Promise.reject(new TypeError('failed to fetch'))],
    ['the server fails', async () => Response.json({}, { status: 503 })],
  ])('falls back to 0.05, as an estimate, when %s', async (_, failing) => {
    answer = failing
    setNumber('2125550111')
    await rest()
    expect($rate.get()).toMatchObject({ kind: 'estimate', microUsdPerMinute: 50_000 })
  })

  test('is told to be missing where we do not sell', async () => {
    answer = async () =>
      Response.json({ error: { code: 'unsupported_destination', message: 'no' } }, { status: 404 })
    setNumber('+850212345')
    await rest()
    expect($rate.get()).toEqual({ kind: 'unsupported', number: '+850212345' })
  })

  test('does not come from an answer that was overtaken', async () => {
    const slow = Promise.withResolvers<Response>()
    answer = () => slow.promise
    setNumber('2125550177')
    await rest()
    setNumber('21')
    slow.resolve(Response.json(known))
    await rest()
    expect($rate.get()).toEqual({ kind: 'none' })
  })

  test('is settled at once for a call, and not asked for twice', async () => {
    setNumber('2125550188')
    expect(await settleRate('+12125550188')).toMatchObject({ kind: 'known', number: '+12125550188' })
    await rest()
    await settleRate('+12125550188')
    expect(asked).toHaveLength(1)
  })

  test('follows the numbering plan once it is loaded: a British number typed with its zero', async () => {
    await loadPhoneRules()
    setNumber('00442079460958')
    await rest()
    expect(asked).toEqual(['/api/rates/number/%2B442079460958'])
  })
})

describe('the number field', () => {
  test('keeps digits and a leading plus', () => {
    setNumber(' +1 (212) 555-0100 x')
    expect($dial.get().typed).toBe('+12125550100')
    setNumber('212*#')
    expect($dial.get().typed).toBe('212')
  })

  test('takes a plus only at its beginning', () => {
    pressKey('+')
    pressKey('4')
    pressKey('+')
    expect($dial.get().typed).toBe('+4')
  })

  test('takes away what was said about the number before', () => {
    setNumber('911')
    notify({ tone: 'bad', text: 'No emergency calls', remedy: 'number' })
    pressKey('1')
    expect($notice.get()).toBeNull()
    notify({ tone: 'info', text: 'You hung up.' })
    pressKey('2')
    expect($notice.get()).not.toBeNull()
  })
})
