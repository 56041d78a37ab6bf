import { atom, type ReadableAtom } from 'nanostores'
import { countries, countryOfIso } from '#lib/numbers/countries.ts'
import { forgetPendingCall, keepPendingCall, pendingCall } from '#session/pending-call.ts'
import { $session } from '#session/session.ts'
import { isAnswered } from '#voice/call.ts'
import { $call } from '../call/call.ts'
import { $dial, $extension, enterNumber, verdictNow } from './dial.ts'

const $entered = atom(false)
/** Whether the field's number was brought along from an earlier page, and not typed here. */
export const $isPending: ReadableAtom<boolean> = $entered

/** Enters the pending number, unless something is entered or a link chose a country. */
function enterPending(): void {
  const call = pendingCall()
  const country = countries.find(({ id }) => id === call?.country) ?? countryOfIso(call?.country ?? '')
  const isLinked = new URL(window.location.href).searchParams.has('country')
  if (call === null || country === undefined || isLinked || call.typed === '' || $dial.get().typed !== '')
    return
  enterNumber(country, call.typed, call.extension)
  $entered.set(true)
}

/**
 * Brings the pending number to the dialler, and keeps what is in the field for the next page, until it is called. A page
 * that never had a number leaves the number of another tab alone.
 */
export function followPendingNumber(): void {
  /** The number that rang. */
  let called: string | null = null
  let isOurs = false
  let wasSignedIn = $session.get().status === 'signed_in'
  $session.listen(({ status }) => {
    // Before, a user who is coming back from Google was nobody to this browser.
    if (status === 'signed_in' && !wasSignedIn) enterPending()
    wasSignedIn ||= status === 'signed_in'
  })
  $call.subscribe(call => {
    if (call.state !== 'ringing' && !isAnswered(call)) return
    called = $dial.get().typed
    forgetPendingCall()
  })
  enterPending()
  $dial.subscribe(({ typed }) => {
    isOurs ||= typed !== ''
  })
  const keep = () => {
    // After a logout, here or in another tab, the number is nobody else's business.
    if (wasSignedIn && $session.get().status !== 'signed_in') return
    const { country, typed } = $dial.get()
    if (typed === '' || typed === called) {
      if (isOurs) forgetPendingCall()
      return
    }
    const verdict = verdictNow()
    const formatted = verdict?.kind === 'ok' ? verdict.formatted : typed
    keepPendingCall({ country: country.id, typed, extension: $extension.get(), formatted })
  }
  window.addEventListener('pagehide', keep)
  // Phones close pages that they have hidden without saying so.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') keep()
  })
}
