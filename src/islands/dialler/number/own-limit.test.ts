import { atom } from 'nanostores'
import { beforeEach, expect, test, vi } from 'vitest'
import type { User } from '#lib/api/me.ts'
import { defaultCountry } from '#lib/numbers/countries.ts'
import { freshBrowser } from '#support/fake-browser.ts'
import { type Call, noCall, step } from '#voice/call.ts'

const line = vi.hoisted(() => ({ $call: undefined as unknown }))
vi.mock('../call/call.ts', () => line)
const $call = atom<Call>(noCall)
line.$call = $call

freshBrowser()
vi.stubGlobal(
  'document',
  Object.assign(new EventTarget(), {
    // Somebody who has signed in before: the page may ask for a token.
    cookie: 'signed-in=yes',
    visibilityState: 'visible',
    documentElement: { dataset: {} },
  }),
)
const set = {
  perCall: null as number | null,
  perMonth: null,
  spentThisMonth: 0,
  leftThisMonth: null,
  monthEndsAt: '2026-12-01T00:00:00.000Z',
  newAccount: null,
  locked: ['US'],
}
let sent: unknown[] = []
vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
  if (path === '/api/auth/refresh-token') return Response.json({ token: 'a.b.c' })
  if (path === '/api/rates/number/%2B12125550102')
    return Response.json({ isoCode: 'US', ourRate: 0.02, kind: 'landline', freeMinutes: 5 })
  if (!path.startsWith('/api/protected/spending')) return Response.json({}, { status: 404 })
  if (init?.method === 'POST') sent.push(JSON.parse(String(init.body)))
  else sent.push('asked')
  return Response.json(set)
})
const { $caution } = await import('./caution.ts')
const { followNumber, setNumber } = await import('./dial.ts')
const { loadPhoneRules } = await import('#shared/numbers/phone-rules.ts')
const { markFreeCallRejected } = await import('../call/free-call.ts')
const { $notice, dismissNotice, notify } = await import('../notice.ts')
const { loadSpending, saveCaps, saveLocked } = await import('#shared/spending.ts')
const { capText, followOwnLimit } = await import('./own-limit.ts')
const { $rate } = await import('./rate.ts')
const { $user } = await import('#session/user.ts')
followNumber()
followOwnLimit()

const lockedText = "You've locked calls to the United States. Unlock it in your profile."
const user = { id: 'u1', has_used_free_call: true } as User

beforeEach(async () => {
  await loadPhoneRules()
  sent = []
  $call.set(noCall)
  dismissNotice()
  setNumber('')
  $user.set(null)
})

test('after a call, its cost gives way to a lock as soon as the next number is entered, and not before', async () => {
  $user.set(user)
  setNumber('2125550100')
  await vi.waitFor(() => expect($caution.get()?.text).toBe(lockedText))
  const callee = { e164: '+12125550100', formatted: '', extension: '', country: defaultCountry }
  $call.set(step($call.get(), { kind: 'dialled', attempt: 1, callee }))
  $call.set(step($call.get(), { kind: 'ended', attempt: 1, endReason: { kind: 'caller_hung_up' }, atMs: 1 }))
  notify({ tone: 'info', text: 'You hung up. Talked 1:00, charged $0.02.' })
  await loadSpending()
  expect($notice.get()).not.toBeNull()
  setNumber('2125550101')
  expect([$notice.get(), $caution.get()?.text]).toEqual([null, lockedText])
})

test('a month whose rest another call may use up is not said to be reached', async () => {
  const microUsdPerMinute = 20_000
  const month = { ...set, locked: [], perMonth: 5, spentThisMonth: 0.1, leftThisMonth: 0 }
  expect(capText(month, microUsdPerMinute)).toBe(
    'Your other call may use up your monthly limit. Hang up there first.',
  )
  expect(capText({ ...month, spentThisMonth: 5 }, microUsdPerMinute)).toBe(
    "You've reached your monthly limit. Change it in your profile.",
  )
  expect(capText({ ...month, spentThisMonth: 4.99 }, microUsdPerMinute)).toMatch(
    /^You've reached your monthly limit/,
  )
  expect(capText({ ...month, spentThisMonth: 4.99, leftThisMonth: 0.01 }, microUsdPerMinute)).toBe(
    'Monthly limit: $0.01 left; a minute is $0.02. Change it in your profile.',
  )
  expect(capText({ ...month, leftThisMonth: 4.9 }, microUsdPerMinute)).toBeNull()
  expect(capText({ ...month, perCall: 0.01 }, microUsdPerMinute)).toMatch(/^Your limit per call is \$0\.01/)
})

test('announces a cap before a call that would have been free, once the server has denied it', async () => {
  Object.assign(set, { perCall: 0.01, locked: [] })
  $user.set({ ...user, has_used_free_call: false })
  await loadSpending()
  setNumber('2125550102')
  await vi.waitFor(() => expect($rate.get()).toMatchObject({ kind: 'known', freeMinutes: 5 }))
  expect($caution.get()).toBeNull()
  markFreeCallRejected()
  expect($caution.get()?.text).toContain('Your limit per call')
  Object.assign(set, { perCall: null, locked: ['US'] })
})

test('asks again for a user who signs in again', async () => {
  $user.set(user)
  await vi.waitFor(() => expect(sent).toEqual(['asked']))
  $user.set(null)
  $user.set(user)
  await vi.waitFor(() => expect(sent).toEqual(['asked', 'asked']))
})

test('a change names what it changes, and a change made meanwhile follows it', async () => {
  const saved = saveCaps({ perMonth: 5 })
  await Promise.all([saved, loadSpending()])
  await saveLocked(['IN'], ['US'])
  expect(sent).toEqual([{ perMonth: 5 }, 'asked', { lock: ['IN'], unlock: ['US'] }])
})
