import { type AnsweredNumber, answeredNumbers, claimNumber } from '#lib/api/handset.ts'
import { parseNumber, verdictMessage } from '#lib/numbers/phone.ts'
import { commonFailure, failed } from '../../http/failure.ts'
import type { Mount } from '../../http/mount.ts'
import type { Exchange } from '../../telephony/exchange/exchange.ts'
import { testNumbers } from '../../telephony/exchange/test-numbers.ts'

/** Numbers without a country code belong to the country of the test numbers. */
const homeCountry = { isoCode: 'US', dialCode: '+1' } as const

const claimsPerMinute = 120
/** Every open handset page polls every few seconds. */
const listsPerMinute = 1200

const does = {
  ring: 'Rings in a browser tab',
  busy: 'Is busy: a browser tab says so',
} as const

/** The handsets in browser tabs, and the numbers of the local exchange. Never in production. */
export function mountHandset(mount: Mount, exchange: Pick<Exchange, 'claimNumber' | 'claims'>): void {
  mount(
    answeredNumbers,
    async () => {
      const claims = exchange.claims()
      const claimed = new Set(claims.map(({ number }) => number))
      return {
        numbers: [
          ...testNumbers
            .filter(({ number }) => !claimed.has(number))
            .map(test => answered(test.number, test.does, 'script')),
          ...claims.map(({ number, whenCalled }) => answered(number, does[whenCalled], 'handset')),
        ],
      }
    },
    { perMinute: listsPerMinute },
  )

  mount(
    claimNumber,
    async ({ body }) => {
      const verdict = parseNumber(body.number, homeCountry)
      if (verdict.kind !== 'ok') {
        const message =
          verdictMessage(verdict) ?? 'Enter a number with its country code, such as +1 212 555 0142.'
        throw failed(claimNumber, 'invalid_number', message)
      }
      const number = verdict.e164
      const claimed = await exchange.claimNumber({ number, whenCalled: body.whenCalled, token: body.token })
      if (claimed.ok) return { ...claimed.value, number }
      if (claimed.code === 'number_taken') {
        throw failed(claimNumber, 'number_taken', 'Another handset has this number. Choose another one.')
      }
      throw commonFailure('unavailable', 'There are too many handsets. Close one and try again.')
    },
    { perMinute: claimsPerMinute },
  )
}

function answered(number: string, what: string, kind: AnsweredNumber['kind']): AnsweredNumber {
  const verdict = parseNumber(number, homeCountry)
  const isoCode = verdict.kind === 'ok' ? verdict.isoCode : homeCountry.isoCode
  return { number, isoCode, does: what, kind }
}
