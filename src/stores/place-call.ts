import type { Callee } from '#lib/rules/call.ts'
import { endingText } from '#lib/rules/call-endings.ts'
import { type Country, countriesByIso, defaultCountry } from '#lib/rules/countries.ts'
import type { NumberVerdict } from '#lib/rules/phone.ts'
import { callLine } from './call.ts'
import { $dial, loadPhoneRules } from './dial.ts'
import { notify } from './notice.ts'
import { settleRate } from './rate.ts'
import { $session, start } from './session.ts'
import { redirectWithToast } from './toasts.ts'
import { $user } from './user.ts'

type Callable = Extract<NumberVerdict, { readonly kind: 'ok' }>

/** The entry that a number belongs to: of several for a country, the one whose dial code it begins with. */
function countryOf({ e164, isoCode }: Callable): Country {
  const entries = countriesByIso.get(isoCode) ?? [defaultCountry]
  return entries.find(({ dialCode }) => e164.startsWith(dialCode)) ?? entries[0]
}

/** What a minute will cost: nothing on the free call where the destination is eligible (decision 20). */
async function rateFor(e164: string): Promise<number | null> {
  const rate = await settleRate(e164)
  if (rate.kind !== 'known') return null
  const free = $user.get()?.has_used_free_call === false && rate.freeMinutes > 0
  return free ? 0 : rate.microUsdPerMinute
}

function calleeOf(verdict: Callable): Callee {
  return { e164: verdict.e164, formatted: verdict.formatted, country: countryOf(verdict) }
}

/**
 * The press of Call. Checks in the order of decision 34: visitor, restricted, emergency, dial code,
 * impossible number; the line goes on with the token and the voice.
 */
export async function placeCall(): Promise<void> {
  await start()
  if ($session.get().status !== 'signed_in') {
    redirectWithToast('/register', { type: 'info', message: 'Sign up to start calling' })
    return
  }
  if ($user.get()?.can_call === false) {
    notify({ tone: 'bad', text: endingText({ kind: 'call_blocked' }) })
    return
  }
  const { parseNumber, verdictMessage } = await loadPhoneRules()
  const { country, typed } = $dial.get()
  const verdict = parseNumber(typed, country)
  if (verdict.kind === 'ok') return callLine.place(calleeOf(verdict), rateFor(verdict.e164))
  const text = verdictMessage(verdict.kind)
  if (text !== undefined) notify({ tone: 'bad', text, remedy: 'number' })
}
