import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { ownerProof, proofErrors } from './profile.ts'
import { accessToken } from './sign-in.ts'

/** WebAuthn options and responses as JSON; opaque here, validated by the library. */
const webAuthn = z.unknown()

/** A six-digit authenticator code or a recovery code; spaces and hyphens are ignored. */
const typedCode = z.string().check(z.minLength(1), z.maxLength(60))

/** The user is identified by a cookie, set with `second_factor_required` and valid for 10 minutes. */
export const startSecondFactor = endpoint({
  method: 'POST',
  path: '/api/auth/second-factor/start',
  auth: 'none',
  status: 200,
  reply: z.object({ passkey: webAuthn, authenticator: z.boolean(), recoveryCodes: z.boolean() }),
  errors: { step_expired: 410 },
})

/** Signs in with an authenticator code or a recovery code, which is used up. */
export const secondFactorCode = endpoint({
  method: 'POST',
  path: '/api/auth/second-factor/code',
  auth: 'none',
  body: z.object({ code: typedCode }),
  status: 200,
  reply: accessToken,
  errors: { wrong_code: 401, step_expired: 410 },
})

export const startPasskeySignIn = endpoint({
  method: 'POST',
  path: '/api/auth/passkey/start',
  auth: 'none',
  status: 200,
  reply: z.object({ options: webAuthn }),
  errors: {},
})

export const passkeySignIn = endpoint({
  method: 'POST',
  path: '/api/auth/passkey',
  auth: 'none',
  body: z.object({ response: webAuthn }),
  status: 200,
  reply: accessToken,
  errors: { passkey_refused: 401, passkey_unknown: 401, step_expired: 410 },
})

const passkey = z.object({
  id: z.string(),
  /** As authenticators know it, in base64url. */
  credentialId: z.string(),
  name: z.string(),
  addedAt: z.string(),
  lastUsedAt: z.nullable(z.string()),
})
export type Passkey = z.output<typeof passkey>

/** Times in ISO 8601, UTC. */
export const security = z.object({
  passkeys: z.array(passkey),
  authenticator: z.nullable(z.object({ addedAt: z.string(), lastUsedAt: z.nullable(z.string()) })),
  recoveryCodesLeft: z.nullable(z.number()),
  signedInWithSecondFactor: z.boolean(),
})
export type Security = z.output<typeof security>

/** New recovery codes, shown once: only hashes are stored. Null: the existing codes stay valid. */
export const changedSecurity = z.object({ security, recoveryCodes: z.nullable(z.array(z.string())) })

export const getSecurity = endpoint({
  method: 'GET',
  path: '/api/protected/security',
  auth: 'bearer',
  status: 200,
  reply: security,
  errors: {},
})

export const startPasskey = endpoint({
  method: 'POST',
  path: '/api/protected/security/passkeys/start',
  auth: 'bearer',
  body: ownerProof,
  status: 200,
  reply: z.object({ options: webAuthn }),
  errors: { ...proofErrors, too_many_passkeys: 409 },
})

export const addPasskey = endpoint({
  method: 'POST',
  path: '/api/protected/security/passkeys',
  auth: 'bearer',
  body: z.object({ response: webAuthn, name: z.string().check(z.trim(), z.minLength(1), z.maxLength(60)) }),
  status: 200,
  reply: changedSecurity,
  errors: { passkey_refused: 400, step_expired: 410, too_many_passkeys: 409 },
})

/** Removing the last second factor removes the recovery codes too. */
export const removePasskey = endpoint({
  method: 'DELETE',
  path: '/api/protected/security/passkeys/:id',
  auth: 'bearer',
  params: z.object({ id: z.string().check(z.maxLength(64)) }),
  body: ownerProof,
  status: 200,
  reply: security,
  errors: proofErrors,
})

/** RFC 6238: SHA-1, 6 digits, 30 s. An existing app stays valid until the new one is confirmed. */
export const startAuthenticator = endpoint({
  method: 'POST',
  path: '/api/protected/security/authenticator/start',
  auth: 'bearer',
  body: ownerProof,
  status: 200,
  reply: z.object({
    secret: z.string(),
    uri: z.string(),
    /** QR code of `uri`: an SVG path of unit modules in a square of `size`. */
    qr: z.object({ size: z.number(), path: z.string() }),
  }),
  errors: proofErrors,
})

export const confirmAuthenticator = endpoint({
  method: 'POST',
  path: '/api/protected/security/authenticator',
  auth: 'bearer',
  body: z.object({ code: typedCode }),
  status: 200,
  reply: changedSecurity,
  errors: { wrong_code: 400, step_expired: 410 },
})

export const removeAuthenticator = endpoint({
  method: 'DELETE',
  path: '/api/protected/security/authenticator',
  auth: 'bearer',
  body: ownerProof,
  status: 200,
  reply: security,
  errors: proofErrors,
})

export const makeRecoveryCodes = endpoint({
  method: 'POST',
  path: '/api/protected/security/recovery-codes',
  auth: 'bearer',
  body: ownerProof,
  status: 200,
  reply: changedSecurity,
  errors: { ...proofErrors, no_second_factor: 409 },
})
