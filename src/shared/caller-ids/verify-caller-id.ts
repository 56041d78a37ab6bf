import { requestVerification } from '#lib/api/caller-id.ts'
import { defaultCountry } from '#lib/numbers/countries.ts'
import { texts } from '#lib/texts.ts'
import { authorised } from '#session/api.ts'
import { $session, start } from '#session/session.ts'
import { redirectWithToast, showToast } from '#session/toasts.ts'
import { loadPhoneRules } from '#shared/numbers/phone-rules.ts'
import { chooseCallFrom, loadCallerIds } from './caller-ids.ts'
import { createNumberVerifier } from './number-verification.ts'

const verifier = createNumberVerifier({
  request: phoneNumber => authorised(requestVerification, { body: { phoneNumber } }),
  list: loadCallerIds,
  async normalise(number) {
    const rules = await loadPhoneRules().catch(() => null)
    const verdict = rules?.parseNumber(number, defaultCountry)
    return verdict?.kind === 'ok' ? verdict.e164 : number
  },
  onVerified(number) {
    chooseCallFrom(number)
    showToast({ type: 'success', message: texts.callerIds.verified })
  },
  wait: (ms, callback) => {
    setTimeout(callback, ms)
  },
})

export const { $verification, close: closeVerification, submit: submitNumber } = verifier

/** Opens the dialog; a visitor is sent to register (SPEC-6.2). */
export async function addCallerId(): Promise<void> {
  await start()
  if ($session.get().status === 'signed_in') verifier.open()
  else redirectWithToast('/register', { type: 'info', message: 'Sign up to add a caller ID' })
}

$session.listen(({ status }) => {
  if (status === 'signed_out') verifier.reset()
})
