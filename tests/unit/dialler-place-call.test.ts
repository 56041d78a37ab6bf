import { atom } from 'nanostores'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Call, type Callee, noCall, step } from '#lib/rules/call.ts'
import type { CallEnding } from '#lib/rules/call-endings.ts'
import { freshBrowser, tokenFor } from './stores/browser.ts'

/** A page that just loaded, whose server takes its time with the token; its line notes what is placed. */
async function openPage({ stored }: { readonly stored: boolean }) {
  vi.resetModules()
  const browser = freshBrowser()
  if (stored) localStorage.setItem('token', tokenFor(-60))
  const refreshed = Promise.withResolvers<Response>()
  vi.stubGlobal('fetch', (path: string) =>
    path === '/api/auth/refresh-token'
      ? refreshed.promise
      : Promise.resolve(Response.json({}, { status: 404 })),
  )
  const $call = atom<Call>(noCall)
  const placed: string[] = []
  const admissions: (CallEnding | null)[] = []
  const callLine = {
    place: async (callee: Callee, _rate: unknown, admission?: Promise<CallEnding | null>) => {
      placed.push(callee.e164)
      $call.set(step($call.get(), { kind: 'dialled', attempt: placed.length, callee }))
      if (admission !== undefined) admissions.push(await admission)
    },
  }
  vi.doMock('#stores/call.ts', () => ({ $call, callLine }))
  const [dial, { placeCall }] = await Promise.all([
    import('#stores/dial.ts'),
    import('#stores/place-call.ts'),
  ])
  return { ...browser, ...dial, placeCall, placed, admissions, $call, refreshed }
}

const letIn = () => Response.json({ token: tokenFor(900) })
const turnedAway = () => Response.json({}, { status: 401 })

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})
afterEach(() => {
  vi.doUnmock('#stores/call.ts')
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
  })

  test('takes the number at the press, also where the numbering plans are not there yet', async () => {
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
