import { afterEach, expect, test, vi } from 'vitest'
import type { User } from '#lib/api/me.ts'
import { keepPendingCall } from '#session/pending-call.ts'
import { freshBrowser } from '#support/fake-browser.ts'

const newcomer = { id: 'u1', has_made_call: false } as User

/** A newcomer's page with a number of an earlier page, whose numbering plans come, or fail, only when released. */
async function open(typed: string) {
  vi.resetModules()
  freshBrowser()
  vi.stubGlobal('document', { documentElement: {}, addEventListener: () => undefined })
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('failed to fetch')))
  keepPendingCall({ country: 'in', typed, extension: '', formatted: typed })
  const plans = Promise.withResolvers<unknown>()
  const actual = await vi.importActual<typeof import('#shared/numbers/phone-rules.ts')>(
    '#shared/numbers/phone-rules.ts',
  )
  vi.doMock('#shared/numbers/phone-rules.ts', () => ({
    ...actual,
    loadPhoneRules: () => plans.promise.then(actual.loadPhoneRules),
  }))
  const { followPendingNumber } = await import('../number/pending-number.ts')
  const { $user } = await import('#session/user.ts')
  const { createWizard } = await import('./wizard.ts')
  followPendingNumber()
  $user.set(newcomer)
  const wizard = createWizard({ nowMs: () => 0, wait: (_, callback) => callback() })
  wizard.offer()
  return { ...wizard, plans }
}
afterEach(() => {
  vi.doUnmock('#shared/numbers/phone-rules.ts')
  vi.unstubAllGlobals()
})

test('a whole number is not covered while the numbering plans are on their way', async () => {
  const page = await open('+919876543210')
  page.plans.resolve(null)
  await new Promise(resolve => setTimeout(resolve, 50))
  expect(page.$tutorial.get()).toBeNull()
})

test('one that was only begun is gone on with once they are there', async () => {
  const page = await open('+9198765')
  expect(page.$tutorial.get()).toBeNull()
  page.plans.resolve(null)
  await vi.waitFor(() => expect(page.$tutorial.get()).toMatchObject({ step: 'number', phoneNumber: '98765' }))
})

test('without them nothing covers the number', async () => {
  const page = await open('+919876543210')
  page.plans.reject(new TypeError('failed to fetch'))
  await new Promise(resolve => setTimeout(resolve, 50))
  expect(page.$tutorial.get()).toBeNull()
})
