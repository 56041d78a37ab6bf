import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { countryOfIso, defaultCountry } from '#lib/numbers/countries.ts'
import { loadPhoneRules } from '#shared/numbers/phone-rules.ts'
import { $notice, notify } from '../notice.ts'
import {
  $dial,
  $rejection,
  chooseCountry,
  deleteLast,
  followNumber,
  holdZero,
  pressKey,
  setNumber,
} from './dial.ts'
import { followRejection } from './follow-rejection.ts'
import { $rate, settleRate } from './rate.ts'

const known = { isoCode: 'US', ourRate: 0.02, kind: 'mobile', freeMinutes: 5 }
let asked: string[] = []
let answer: () => Promise<Response>
const page = new EventTarget()
const notFound = async () =>
  Response.json({ error: { code: 'unsupported_destination', message: 'no' } }, { status: 404 })

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  asked = []
  answer = async () => Response.json(known)
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path)
    return answer()
  })
  chooseCountry(defaultCountry)
  setNumber('')
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})
vi.stubGlobal('window', page)
followNumber()
followRejection()

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

  test('asks for the rate once typing pauses, for the number in full', async () => {
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

  test('says that there is no rate where we do not sell', async () => {
    answer = notFound
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

describe('the number whose rate is asked for', () => {
  test.each([
    ['US', '121255501', '+121255501'],
    ['JM', '187655501', '+187655501'],
    ['GB', '4420790', '+4420790'],
    ['GB', '020791', '+4420791'],
    ['GB', '000020797', '+4420797'],
    ['US', '004420792', '+4420792'],
    ['US', '01144793', '+44793'],
    ['AU', '001144794', '+44794'],
    ['AU', '0044795', '+44795'],
    ['JP', '01044796', '+44796'],
    ['RU', '81044797', '+44797'],
  ])('of %s %s, not yet complete, is %s', async (isoCode, typed, number) => {
    chooseCountry(countryOfIso(isoCode) ?? defaultCountry)
    setNumber(typed)
    await rest()
    expect(asked).toEqual([`/api/rates/number/${encodeURIComponent(number)}`])
  })

  test('is none for an international prefix and a country code alone', async () => {
    setNumber('0044')
    await rest()
    expect(asked).toEqual([])
    expect($rate.get()).toEqual({ kind: 'none' })
  })
})

describe('the rate of the number before', () => {
  test('disappears 300 ms after the number changed, however long the answer takes', async () => {
    setNumber('2125550160')
    await rest()
    answer = () => new Promise(() => undefined)
    setNumber('2125550161')
    await vi.advanceTimersByTimeAsync(290)
    expect($rate.get()).toMatchObject({ kind: 'known', number: '+12125550160' })
    await vi.advanceTimersByTimeAsync(20)
    expect($rate.get()).toEqual({ kind: 'pending' })
  })

  test('disappears while typing continues', async () => {
    setNumber('2125550162')
    await rest()
    for (const typed of ['2025550163', '2025550164', '2025550165', '2025550166']) {
      setNumber(typed)
      await vi.advanceTimersByTimeAsync(100)
    }
    expect($rate.get()).toEqual({ kind: 'pending' })
  })

  test('does not disappear if the new one comes at once', async () => {
    const kinds: string[] = []
    setNumber('2125550167')
    await rest()
    const stop = $rate.listen(rate => kinds.push(rate.kind))
    setNumber('2125550168')
    await rest()
    stop()
    expect(kinds).toEqual(['known'])
  })
})

describe('an estimate', () => {
  const fail = () => Promise.reject(new TypeError('failed to fetch'))

  test('gives way to the real rate when the connection is back', async () => {
    answer = fail
    setNumber('2125550170')
    await rest()
    expect($rate.get().kind).toBe('estimate')
    answer = async () => Response.json(known)
    page.dispatchEvent(new Event('online'))
    await vi.advanceTimersByTimeAsync(0)
    expect($rate.get()).toMatchObject({ kind: 'known', number: '+12125550170' })
  })

  test('is asked for again before a call', async () => {
    answer = fail
    setNumber('2125550171')
    await rest()
    answer = async () => Response.json(known)
    expect(await settleRate('+12125550171')).toMatchObject({ kind: 'known' })
    expect($rate.get()).toMatchObject({ kind: 'known', number: '+12125550171' })
  })
})

test('a rate settled for a call is its own, though another number was typed meanwhile', async () => {
  const slow = Promise.withResolvers<Response>()
  setNumber('2125550172')
  answer = () => slow.promise
  const settled = settleRate('+12125550172')
  answer = async () => Response.json({ ...known, ourRate: 0.5 })
  setNumber('2125550173')
  await rest()
  slow.resolve(Response.json(known))
  expect(await settled).toMatchObject({ number: '+12125550172', microUsdPerMinute: 20_000 })
  expect($rate.get()).toMatchObject({ number: '+12125550173', microUsdPerMinute: 500_000 })
})

describe('what is said in place of a rate', () => {
  test('is nothing while an ordinary number is typed, though nobody has a rate for its beginning', async () => {
    await loadPhoneRules()
    answer = notFound
    for (const typed of ['12345', '+4499', '1212555019']) {
      setNumber(typed)
      await rest()
      expect([typed, $rejection.get()]).toEqual([typed, null])
    }
  })

  test('is that a complete number is not supported, or of a kind that is never called', async () => {
    await loadPhoneRules()
    answer = notFound
    setNumber('2125550174')
    expect($rejection.get()).toBeNull()
    await rest()
    expect($rejection.get()?.text).toBe('This destination is currently not supported.')
    setNumber('+999123456789')
    expect($rejection.get()?.text).toBe('This destination is currently not supported.')
    setNumber('9002345678')
    expect($rejection.get()?.text).toBe("We don't call premium-rate numbers.")
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

  test('takes 0 held down as a plus at its beginning, and as a 0 further on', () => {
    holdZero()
    pressKey('4')
    holdZero()
    expect($dial.get().typed).toBe('+40')
  })

  test('removes what was said about the previous number', () => {
    setNumber('911')
    notify({ tone: 'bad', text: 'No emergency calls', remedy: 'number' })
    pressKey('1')
    expect($notice.get()).toBeNull()
    notify({ tone: 'info', text: 'You hung up.' })
    pressKey('2')
    expect($notice.get()).toBeNull()
    notify({ tone: 'bad', text: 'The microphone is blocked.', remedy: 'microphone' })
    pressKey('3')
    expect($notice.get()).not.toBeNull()
  })
})
