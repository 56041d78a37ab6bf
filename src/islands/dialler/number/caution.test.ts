import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { countryOfIso, defaultCountry } from '#lib/numbers/countries.ts'
import { cautionTexts } from '#shared/numbers/caution-texts.ts'
import { loadPhoneRules } from '#shared/numbers/phone-rules.ts'
import { $notice, dismissNotice, notify } from '../notice.ts'
import { $caution } from './caution.ts'
import { chooseCountry, followNumber, pressKey, setNumber } from './dial.ts'
import { followCaution, typingStopsMs } from './follow-caution.ts'

const caution = { kind: 'number', text: 'Caution: This number may be blocked or fail to connect.' }
let numberRate: object
const countryRate = { isoCode: 'AU', ourRate: 0.05, landline: 0.03, from: 0.03, freeMinutes: 5 }

vi.stubGlobal('window', new EventTarget())
followNumber()
followCaution()

beforeEach(async () => {
  await loadPhoneRules()
  vi.useFakeTimers()
  numberRate = { isoCode: 'US', ourRate: 0.02, kind: 'mobile', freeMinutes: 5 }
  vi.stubGlobal('fetch', (path: string) =>
    Promise.resolve(Response.json(path.startsWith('/api/rates/number/') ? numberRate : countryRate)),
  )
  dismissNotice()
  chooseCountry(defaultCountry)
  setNumber('')
})
afterEach(() => vi.useRealTimers())

const stop = () => vi.advanceTimersByTimeAsync(typingStopsMs)

test('a number of the list gets its caution once typing stops, and loses it at the next key', async () => {
  for (const digit of '8765550133') {
    pressKey(digit)
    await vi.advanceTimersByTimeAsync(200)
    expect($caution.get()).toBeNull()
  }
  await stop()
  expect($caution.get()).toEqual(caution)
  setNumber('876555013')
  expect($caution.get()).toBeNull()
  await stop()
  expect($caution.get()).toEqual(caution)
})

test('an ordinary number gets none, nor one too short to be looked up', async () => {
  for (const number of ['2125550100', '876', '+53']) {
    setNumber(number)
    await stop()
    expect($caution.get(), number).toBeNull()
  }
})

test('the text about the last call gives way to it; text about the page does not', async () => {
  notify({ tone: 'info', text: 'You hung up. Talked 1:00, charged $0.02.' })
  setNumber('8765550133')
  await stop()
  expect([$notice.get(), $caution.get()]).toEqual([null, caution])
  setNumber('2125550100')
  notify({ tone: 'warn', text: 'The microphone is blocked.', remedy: 'microphone' })
  setNumber('8765550134')
  await stop()
  expect([$notice.get(), $caution.get()]).toEqual([null, caution])
  setNumber('2125550100')
  notify({ tone: 'bad', text: 'No connection to the service.', about: 'connection' })
  setNumber('8765550135')
  await stop()
  expect($notice.get()).not.toBeNull()
})

test('says by how much a range is more expensive than its country', async () => {
  const australia = countryOfIso('AU')
  if (australia !== undefined) chooseCountry(australia)
  numberRate = { isoCode: 'AU', ourRate: 1.9, kind: 'special', freeMinutes: 0 }
  setNumber('0412345678')
  await vi.advanceTimersByTimeAsync(2000)
  expect($caution.get()).toEqual({ kind: 'price', text: '$1.900 a minute, 38× the usual rate.' })
  numberRate = { isoCode: 'AU', ourRate: 0.06, kind: 'special', freeMinutes: 0 }
  setNumber('0412345679')
  await vi.advanceTimersByTimeAsync(2000)
  expect($caution.get()).toBeNull()
})

test('a number of one’s own that makes the call cost more says by how much, and what the public one costs', async () => {
  numberRate = { isoCode: 'DE', ourRate: 0.289, surcharge: 0.266, kind: 'mobile', freeMinutes: 1 }
  setNumber('+4915123456789')
  await vi.advanceTimersByTimeAsync(2000)
  const text = 'Your own number adds $0.266 a minute there. Public number: $0.023.'
  expect($caution.get()).toEqual({ kind: 'price', text })
  setNumber('2125550111')
  expect($caution.get()).toBeNull()
})

test('calls a toll-free number at our rate, and says that the call may be rejected', async () => {
  setNumber('8005550199')
  await stop()
  expect($caution.get()?.text).toBe(cautionTexts.tollFree)
})

test('a price beats what else there is to know about a number, and both prices stand together', async () => {
  const surcharge = { isoCode: 'JM', ourRate: 0.3, surcharge: 0.1, kind: 'mobile', freeMinutes: 1 }
  numberRate = surcharge
  setNumber('8765550136')
  await vi.advanceTimersByTimeAsync(2000)
  const risky = 'Your own number adds $0.100 a minute there. Public number: $0.200.'
  expect($caution.get()).toEqual({ kind: 'price', text: risky })
  const australia = countryOfIso('AU')
  if (australia !== undefined) chooseCountry(australia)
  numberRate = { isoCode: 'AU', ourRate: 1.9, surcharge: 0.1, kind: 'special', freeMinutes: 0 }
  setNumber('0412345670')
  await vi.advanceTimersByTimeAsync(2000)
  const both = '$1.900 a minute, 38× the usual rate. Your number adds $0.100.'
  expect($caution.get()).toEqual({ kind: 'price', text: both })
  expect(both.length).toBeLessThanOrEqual(80)
})
