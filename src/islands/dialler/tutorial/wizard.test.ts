import { atom } from 'nanostores'
import { beforeEach, expect, test, vi } from 'vitest'
import type { User } from '#lib/api/me.ts'
import { countryOfIso, defaultCountry } from '#lib/numbers/countries.ts'
import { freshBrowser } from '#support/fake-browser.ts'
import { type Call, noCall } from '#voice/call.ts'

const line = vi.hoisted(() => ({ $call: undefined as unknown }))
vi.mock('../call/call.ts', () => line)
const placed = vi.hoisted((): unknown[] => [])
vi.mock('../call/place-call.ts', () => ({ placeCall: () => placed.push($dial.get()) }))
const $call = atom<Call>(noCall)
line.$call = $call

freshBrowser()
vi.stubGlobal('fetch', () => Promise.reject(new TypeError('failed to fetch')))
const { $dial, $extension, chooseCountry, setNumber } = await import('../number/dial.ts')
const { followPendingNumber } = await import('../number/pending-number.ts')
const { keepPendingCall } = await import('#session/pending-call.ts')
const { loadPhoneRules } = await import('#shared/numbers/phone-rules.ts')
const { $user } = await import('#session/user.ts')
const { createWizard, wizardKey } = await import('./wizard.ts')

const india = countryOfIso('IN') ?? defaultCountry
const newcomer = { id: 'u1', has_made_call: false } as User

let nowMs = 0
let waits: { readonly ms: number; readonly callback: () => void }[] = []
const open = () =>
  createWizard({ nowMs: () => nowMs, wait: (ms, callback) => waits.push({ ms, callback }) && undefined })
const stored = () => JSON.parse(localStorage.getItem(wizardKey) ?? 'null')
const pass = () => {
  for (const { callback } of waits.splice(0)) callback()
}

/** A wizard on a page that has loaded for a user. */
function offered(user: User | null = newcomer) {
  const wizard = open()
  $user.set(user)
  wizard.offer()
  pass()
  return wizard
}

beforeEach(() => {
  nowMs = 1000
  waits = []
  placed.length = 0
  localStorage.clear()
  $user.set(null)
  $call.set(noCall)
  chooseCountry(defaultCountry)
  setNumber('')
})

test('appears 300 ms after load for a user who has not called, and records when', () => {
  const wizard = open()
  $user.set(newcomer)
  wizard.offer()
  expect(waits.map(({ ms }) => ms)).toEqual([300])
  expect(wizard.$tutorial.get()).toBeNull()
  pass()
  expect(wizard.$tutorial.get()).toEqual({ step: 'welcome', country: defaultCountry, phoneNumber: '' })
  expect(stored()).toEqual({ hasSeenWizard: false, lastShown: 1000, lastDismissed: null })
})

test('appears when the user is known, if that is later, and only once', () => {
  const wizard = offered(null)
  expect(wizard.$tutorial.get()).toBeNull()
  $user.set({ ...newcomer })
  expect(wizard.$tutorial.get()?.step).toBe('welcome')
  wizard.dismiss()
  localStorage.clear()
  $user.set({ ...newcomer })
  expect(wizard.$tutorial.get()).toBeNull()
})

test('does not appear for a user who has called', () => {
  expect(offered({ ...newcomer, has_made_call: true }).$tutorial.get()).toBeNull()
})

test('does not appear for a user who is typing a number; the next page offers it again', () => {
  setNumber('212')
  expect(offered().$tutorial.get()).toBeNull()
  expect(stored()).toBeNull()
})

test('does not appear for a user in a call', () => {
  $call.set({ state: 'ringing' } as Call)
  expect(offered().$tutorial.get()).toBeNull()
  expect(stored()).toBeNull()
})

test('skipped or closed it is seen, the dialler stays as it is, and no page shows it again', () => {
  const wizard = offered()
  wizard.next()
  wizard.chooseCountry(india)
  nowMs = 5000
  wizard.dismiss()
  expect(wizard.$tutorial.get()).toBeNull()
  expect(stored()).toEqual({ hasSeenWizard: true, lastShown: 1000, lastDismissed: 5000 })
  expect($dial.get()).toEqual({ country: defaultCountry, typed: '' })
  expect(offered().$tutorial.get()).toBeNull()
})

test('completed, its country and number are in the dialler, and it is seen but not dismissed', () => {
  const wizard = offered()
  wizard.next()
  wizard.chooseCountry(india)
  wizard.next()
  wizard.setNumber('987-654')
  wizard.next()
  expect(wizard.$tutorial.get()?.step).toBe('number')
  wizard.setNumber('98765 43210')
  wizard.next()
  wizard.back()
  expect(wizard.$tutorial.get()).toMatchObject({ step: 'number', phoneNumber: '9876543210' })
  wizard.next()
  wizard.next()
  expect(wizard.$tutorial.get()).toBeNull()
  expect($dial.get()).toEqual({ country: india, typed: '9876543210' })
  // The dialog that goes away says that it was closed.
  wizard.dismiss()
  expect(stored()).toEqual({ hasSeenWizard: true, lastShown: 1000, lastDismissed: null })
  expect(offered().$tutorial.get()).toBeNull()
})

test('it begins at the number where a link has chosen the country', () => {
  chooseCountry(india)
  const wizard = offered()
  expect(wizard.$tutorial.get()).toEqual({ step: 'number', country: india, phoneNumber: '' })
  wizard.back()
  expect(wizard.$tutorial.get()?.step).toBe('country')
})

test('goes on with a number that was begun on an earlier page, and stays away from one that is whole', async () => {
  const pending = { country: 'in', extension: '', formatted: '' }
  await loadPhoneRules()
  vi.stubGlobal('window', { location: { href: 'http://localhost/call' }, addEventListener: () => undefined })
  vi.stubGlobal('document', { documentElement: {}, addEventListener: () => undefined })
  keepPendingCall({ ...pending, typed: '+9198765', extension: ',,12' })
  followPendingNumber()
  const wizard = offered()
  await vi.waitFor(() =>
    expect(wizard.$tutorial.get()).toEqual({ step: 'number', country: india, phoneNumber: '98765' }),
  )
  wizard.setNumber('9876543210')
  wizard.next()
  wizard.next()
  expect([$dial.get().typed, $extension.get()]).toEqual(['9876543210', ',,12'])

  localStorage.clear()
  $user.set(null)
  setNumber('+919876543210')
  const whole = offered()
  await loadPhoneRules()
  expect(whole.$tutorial.get()).toBeNull()
})

test('asks for no country that the page’s address has or that was chosen before, be it the default', () => {
  localStorage.setItem('dialCountry', 'us')
  expect(offered().$tutorial.get()?.step).toBe('number')
  localStorage.clear()
  $user.set(null)
  vi.stubGlobal('window', { location: { href: 'http://localhost/call?country=us' } })
  expect(offered().$tutorial.get()?.step).toBe('number')
  vi.stubGlobal('window', { location: { href: 'http://localhost/call?country=nowhere' } })
  $user.set(null)
  localStorage.clear()
  expect(offered().$tutorial.get()?.step).toBe('welcome')
})

test('its last step calls at once', () => {
  const wizard = offered()
  wizard.call()
  expect(placed).toEqual([])
  wizard.next()
  wizard.chooseCountry(india)
  wizard.next()
  wizard.setNumber('9876543210')
  wizard.next()
  wizard.call()
  expect(wizard.$tutorial.get()).toBeNull()
  expect(placed).toEqual([{ country: india, typed: '9876543210' }])
  expect(stored()).toMatchObject({ hasSeenWizard: true })
})

test('the full number is spaced by the numbering plan once that is loaded', async () => {
  const wizard = offered()
  wizard.$fullNumber.listen(() => undefined)
  wizard.chooseCountry(india)
  wizard.setNumber('9876543210')
  expect(wizard.$fullNumber.get()).toBe('+91 9876543210')
  await loadPhoneRules()
  await expect.poll(() => wizard.$fullNumber.get()).toBe('+91 98765 43210')
})

test.each(['nonsense', '[]', '7', '{"hasSeenWizard":"yes"}'])(
  'what something else wrote under the key, %s, does no harm',
  text => {
    localStorage.setItem(wizardKey, text)
    expect(() => offered()).not.toThrow()
  },
)
