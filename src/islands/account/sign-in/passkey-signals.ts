import type { Passkey } from '#lib/api/second-factor.ts'

/**
 * Tells the browser and its password manager which passkeys the signed-in user has, and under which name, so that those that were
 * removed are no longer offered (WebAuthn level 3, section 5.1.10). Browsers without these signals, and authenticators that ignore
 * them, go on as before.
 * @param userId from which the server made the passkeys' user handle
 */
export function signalPasskeys(passkeys: readonly Passkey[], userId: string, email: string): void {
  const user = { rpId: location.hostname, userId: base64url(userId) }
  signal('signalAllAcceptedCredentials', {
    ...user,
    allAcceptedCredentialIds: passkeys.map(({ credentialId }) => credentialId),
  })
  if (passkeys.length > 0) signal('signalCurrentUserDetails', { ...user, name: email, displayName: email })
}

/** The server knows no such passkey. @param credentialId in base64url */
export function signalUnknownPasskey(credentialId: string): void {
  signal('signalUnknownCredential', { rpId: location.hostname, credentialId })
}

type Signals = Pick<
  typeof PublicKeyCredential,
  'signalAllAcceptedCredentials' | 'signalCurrentUserDetails' | 'signalUnknownCredential'
>

function signal<Name extends keyof Signals>(name: Name, options: Parameters<Signals[Name]>[0]): void {
  const signals = globalThis.PublicKeyCredential as Partial<Signals> | undefined
  const send = signals?.[name] as ((options: unknown) => Promise<void>) | undefined
  send
    ?.call(signals, options)
    .catch(error => console.warn('The browser took no signal about passkeys.', error))
}

function base64url(text: string): string {
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
