import { atom } from 'nanostores'
import { vi } from 'vitest'
import type { Placement } from '#islands/dialler/call/call-line.ts'
import type { EndReason } from '#lib/calls/end-reasons.ts'
import { type Call, noCall, step } from '#voice/call.ts'
import { freshBrowser, tokenFor } from './fake-browser.ts'

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

/** A page that just loaded, whose server is slow with the token; its line records the calls placed. */
export async function openCallPage({ stored, me = {} }: { readonly stored: boolean; readonly me?: object }) {
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
    import('#islands/dialler/number/dial.ts'),
    import('#shared/numbers/phone-rules.ts'),
    import('#islands/dialler/call/place-call.ts'),
    import('#islands/dialler/call/price-question.ts'),
    import('#islands/dialler/notice.ts'),
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

export const letIn = () => Response.json({ token: tokenFor(900) })
export const turnedAway = () => Response.json({}, { status: 401 })
