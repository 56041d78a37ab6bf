import {
  passkeySignIn,
  secondFactorCode,
  startPasskeySignIn,
  startSecondFactor,
} from '#lib/api/second-factor.ts'
import { signIn } from '#session/session.ts'
import { type ApiResult, request } from '#session/transport.ts'
import { signalUnknownPasskey } from './passkey-signals.ts'
import { type PasskeyResult, signWithPasskey } from './passkeys.ts'

type Refused = Exclude<PasskeyResult, { readonly ok: true }>

export function askSecondStep(): Promise<ApiResult<typeof startSecondFactor>> {
  return request(startSecondFactor, {})
}

/** @param code of the authenticator, or a recovery code */
export function logInWithCode(code: string): Promise<ApiResult<typeof secondFactorCode>> {
  return signIn(() => request(secondFactorCode, { body: { code } }))
}

export async function logInWithSecondPasskey(): Promise<
  ApiResult<typeof passkeySignIn> | ApiResult<typeof startSecondFactor> | Refused
> {
  // Each try needs a new challenge.
  const started = await askSecondStep()
  return started.ok ? finish(started.value.passkey) : started
}

export async function logInWithPasskey(): Promise<
  ApiResult<typeof passkeySignIn> | ApiResult<typeof startPasskeySignIn> | Refused
> {
  const started = await request(startPasskeySignIn, {})
  return started.ok ? finish(started.value.options) : started
}

async function finish(options: unknown): Promise<ApiResult<typeof passkeySignIn> | Refused> {
  const signed = await signWithPasskey(options)
  if (!signed.ok) return signed
  const { response } = signed
  const result = await signIn(() => request(passkeySignIn, { body: { response } }))
  if (!result.ok && result.code === 'passkey_unknown') signalUnknownPasskey(response.id)
  return result
}
