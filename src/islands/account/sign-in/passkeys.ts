import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import { texts } from './passkey-texts.ts'

/** What the browser created or signed, as JSON, or why it did not, fit to be shown. */
export type PasskeyResult =
  | { readonly ok: true; readonly response: { readonly id: string } }
  | { readonly ok: false; readonly code: 'no_passkey'; readonly message: string }

/** @param options as the server sent them */
export function createPasskey(options: unknown): Promise<PasskeyResult> {
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON
  return tried(() => startRegistration({ optionsJSON }))
}

/** @param options as the server sent them */
export function signWithPasskey(options: unknown): Promise<PasskeyResult> {
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON
  return tried(() => startAuthentication({ optionsJSON }))
}

async function tried(ask: () => Promise<{ readonly id: string }>): Promise<PasskeyResult> {
  if (window.PublicKeyCredential === undefined)
    return { ok: false, code: 'no_passkey', message: texts.unsupported }
  try {
    return { ok: true, response: await ask() }
  } catch (thrown) {
    const { name } = thrown as { name?: string }
    // Cancelled, timed out or no passkey: browsers do not say which.
    const message = name === 'InvalidStateError' ? texts.thereAlready : texts.givenUp
    if (name !== 'NotAllowedError' && name !== 'AbortError' && name !== 'InvalidStateError')
      console.error("The browser couldn't use a passkey.", thrown)
    return { ok: false, code: 'no_passkey', message }
  }
}
