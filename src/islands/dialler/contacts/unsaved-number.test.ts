import { atom } from 'nanostores'
import { afterEach, expect, test, vi } from 'vitest'
import type { Session } from '#session/session.ts'
import type { Contacts } from '#shared/contacts.ts'
import { type Call, noCall } from '#voice/call.ts'

const mum = {
  id: 'c1',
  name: 'Mum',
  phone_number: '+442079460958',
  dial_code: '+44',
  iso_code: 'GB',
  favourite: false,
}
const ringing = { state: 'ringing' } as Call

async function openPage() {
  vi.resetModules()
  const $session = atom<Session>({ status: 'signed_in', token: 'token' })
  const $call = atom<Call>(noCall)
  const $contacts = atom<Contacts>({ state: 'ready', value: [] })
  vi.doMock('#session/session.ts', () => ({ $session }))
  vi.doMock('#islands/dialler/call/call.ts', () => ({ $call }))
  vi.doMock('#shared/contacts.ts', () => ({ $contacts }))
  const [dial, unsaved, { loadPhoneRules }] = await Promise.all([
    import('../number/dial.ts'),
    import('./unsaved-number.ts'),
    import('#shared/numbers/phone-rules.ts'),
  ])
  await loadPhoneRules()
  return { ...dial, ...unsaved, $session, $call, $contacts }
}

afterEach(() => {
  vi.doUnmock('#session/session.ts')
  vi.doUnmock('#islands/dialler/call/call.ts')
  vi.doUnmock('#shared/contacts.ts')
})

test('a signed-in user can save a number once, when one is entered, outside a call', async () => {
  const page = await openPage()
  const offered = () => page.$unsavedNumber.get()?.phone_number ?? null
  expect(offered()).toBe(null)
  page.setNumber('+442079460958')
  expect(page.$unsavedNumber.get()).toEqual({
    phone_number: '+442079460958',
    dial_code: '+44',
    iso_code: 'GB',
    formatted: '+44 20 7946 0958',
    knownAs: '',
  })

  page.$session.set({ status: 'signed_out' })
  expect(offered()).toBe(null)
  page.$session.set({ status: 'signed_in', token: 'token' })
  page.$call.set(ringing)
  expect(offered()).toBe(null)
  page.$call.set(noCall)
  page.$contacts.set({ state: 'ready', value: [mum] })
  expect(offered()).toBe(null)
  page.$contacts.set({ state: 'loading' })
  expect(offered()).toBe(null)
  page.$contacts.set({ state: 'failed', message: '' })
  expect(offered()).toBe('+442079460958')
})

test('a saved number is known however it is typed', async () => {
  const page = await openPage()
  page.$contacts.set({ state: 'ready', value: [mum] })
  page.dialContact(mum)
  expect(page.$dial.get()).toMatchObject({ typed: '+442079460958', country: { isoCode: 'GB' } })
  for (const typed of ['+442079460958', '02079460958', '2079460958', '00442079460958']) {
    page.setNumber(typed)
    expect(page.$unsavedNumber.get()).toBe(null)
  }
  page.setNumber('2079460959')
  expect(page.$unsavedNumber.get()?.phone_number).toBe('+442079460959')
})

test('half a number is offered as it is typed, for the server to judge', async () => {
  const page = await openPage()
  page.setNumber('212')
  expect(page.$unsavedNumber.get()).toMatchObject({ phone_number: '212', iso_code: 'US', formatted: '212' })
})

test('a contact chooses the entry of its own dial code', async () => {
  const page = await openPage()
  page.dialContact({ ...mum, phone_number: '+18295550123', dial_code: '+1829', iso_code: 'DO' })
  expect(page.$dial.get().country).toMatchObject({ id: 'do-1829' })
})

test('a saved number with something to play that is not saved with it is offered again, under its name', async () => {
  const page = await openPage()
  page.$contacts.set({ state: 'ready', value: [{ ...mum, extension: ',,1#' }] })
  page.dialContact({ ...mum, extension: ',,1#' })
  expect(page.$extension.get()).toBe(',,1#')
  expect(page.$unsavedNumber.get()).toBe(null)
  page.setExtension('')
  expect(page.$unsavedNumber.get()).toBe(null)
  page.setExtension(',,2#')
  expect(page.$unsavedNumber.get()).toMatchObject({ extension: ',,2#', knownAs: 'Mum' })
  page.dialContact(mum)
  expect(page.$extension.get()).toBe('')
})

test('during a call a handset changes nothing', async () => {
  const page = await openPage()
  page.setNumber('2125550100')
  page.$call.set(ringing)
  await page.callContact(mum)
  expect(page.$dial.get().typed).toBe('2125550100')
})
