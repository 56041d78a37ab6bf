import type { Result } from '#lib/result.ts'

/** Who somebody is at Google, as it says over a signature. */
export interface GoogleIdentity {
  readonly issuer: string
  /** The account there, for ever; its e-mail may change. */
  readonly subject: string
  /** Trimmed and lower-cased, as ours are; null where it gave none. */
  readonly email: string | null
  readonly emailVerified: boolean
}

/** What one sign-in must come back with. All three are random, and kept by the browser that began it. */
export interface Attempt {
  readonly state: string
  readonly nonce: string
  /** Of PKCE: only its digest leaves us before the code comes back. */
  readonly verifier: string
}

/**
 * `denied`: its user pressed cancel. `refused`: what came back does not prove who they are. `unreachable`: no
 * answer within 10 s, or one that says nothing.
 */
export type GoogleRefusal = 'denied' | 'refused' | 'unreachable'

/** OpenID Connect's code flow with one issuer. */
export interface GoogleSignIn {
  /** Where to send the browser. */
  addressFor(attempt: Attempt): Promise<Result<string, 'unreachable'>>
  /** @param query of the address at which the browser came back, from its `?` on */
  identify(query: string, attempt: Attempt): Promise<Result<GoogleIdentity, GoogleRefusal>>
}
