import type { Result } from '#lib/result.ts'

export interface GoogleIdentity {
  readonly issuer: string
  /** Permanent id of the account there; its e-mail address may change. */
  readonly subject: string
  /** Trimmed and lower-cased like ours; null if not given. */
  readonly email: string | null
  readonly emailVerified: boolean
  /** Domain of the Workspace organisation that the account belongs to (`hd`), lower-cased; null for any other. */
  readonly hostedDomain: string | null
  /** Last login there (`auth_time`); null if not given. */
  readonly authenticatedAt: Date | null
}

/** Random values that one sign-in must return with, kept by its browser. */
export interface Attempt {
  readonly state: string
  readonly nonce: string
  /** PKCE: only its digest leaves us before the code returns. */
  readonly verifier: string
  /** Requires a fresh login there, not only a press of a button. */
  readonly again?: boolean | undefined
}

/** `denied`: cancelled. `refused`: no proof of identity. `unreachable`: no useful answer within 10 s. */
export type GoogleRejection = 'denied' | 'refused' | 'unreachable'

export interface GoogleSignIn {
  addressFor(attempt: Attempt): Promise<Result<string, 'unreachable'>>
  /** @param query of the address at which the browser returned, from its `?` on */
  identify(query: string, attempt: Attempt): Promise<Result<GoogleIdentity, GoogleRejection>>
}
