import * as z from 'zod/mini'
import { requestVerification } from '#lib/api/caller-id.ts'
import { verificationEvent, verificationStatus } from '#lib/api/verification.ts'
import { localPath } from '#lib/i18n/path.ts'
import { defaultCountry } from '#lib/numbers/countries.ts'
import { authorised } from '#session/api.ts'
import { openRealtime, type RealtimeHandlers } from '#session/realtime.ts'
import { $session, start } from '#session/session.ts'
import { redirectWithToast, showToast } from '#session/toasts.ts'
import { $user } from '#session/user.ts'
import { loadPhoneRules } from '#shared/numbers/phone-rules.ts'
import { chooseCallFrom, loadCallerIds } from './caller-ids.ts'
import { createNumberVerifier } from './number-verification.ts'
import { texts } from './texts.ts'

/** A socket of its own while a phone rings: the profile has no other, and the poll makes up for what it misses. */
const quiet: RealtimeHandlers = {
  balance: () => {},
  call: () => {},
  callError: () => {},
  reconnected: () => {},
  isInCall: () => true,
  warnOfTrouble: () => false,
}

const verifier = createNumberVerifier({
  request: phoneNumber => authorised(requestVerification, { body: { phoneNumber } }),
  list: loadCallerIds,
  async status() {
    const result = await authorised(verificationStatus, {}, { skipLogoutOnFail: true })
    return result.ok ? result.value : null
  },
  listen(onEvent) {
    const userId = $user.get()?.id
    if (userId === undefined) return () => {}
    return openRealtime(userId, {
      ...quiet,
      verification: event => {
        const parsed = z.safeParse(verificationEvent, event)
        if (parsed.success) onEvent(parsed.data)
      },
    })
  },
  async normalise(number) {
    const rules = await loadPhoneRules().catch(() => null)
    const verdict = rules?.parseNumber(number, defaultCountry)
    return verdict?.kind === 'ok' ? verdict.e164 : number
  },
  onVerified(number) {
    chooseCallFrom(number)
    showToast({ type: 'success', message: texts.verified })
  },
  wait: (ms, callback) => {
    setTimeout(callback, ms)
  },
})

export const { $verification, $attempts, close: closeVerification, submit: submitNumber } = verifier

/** Opens the dialog; a visitor is sent to register (SPEC-6.2). */
export async function addCallerId(): Promise<void> {
  await start()
  if ($session.get().status === 'signed_in') verifier.open()
  else redirectWithToast(localPath('/register'), { type: 'info', message: texts.signUp })
}

$session.listen(({ status }) => {
  if (status === 'signed_out') verifier.reset()
})
