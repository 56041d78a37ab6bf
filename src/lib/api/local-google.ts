import * as z from 'zod/mini'
import { emailAddress } from '../account/account.ts'
import { endpoint } from './endpoint.ts'

const text = z.string().check(z.maxLength(500))

/** Query of an authorization request to the local stand-in for Google (OpenID Connect Core, 3.1.2.1). */
export const authorizationRequest = z.object({
  client_id: text,
  redirect_uri: text,
  response_type: z.literal('code'),
  scope: text,
  state: text,
  nonce: text,
  code_challenge: text,
  code_challenge_method: z.literal('S256'),
})
export type AuthorizationRequest = z.output<typeof authorizationRequest>

const chosenAccount = z.nullable(
  z.object({
    email: emailAddress,
    emailVerified: z.boolean(),
    /** Workspace domain of the account; null: none. Default: the domain of the address. */
    hostedDomain: z.optional(z.nullable(text)),
    /** Stable id at the issuer, independent of the address; derived from the address by default. */
    subject: z.optional(z.string().check(z.minLength(1), z.maxLength(255))),
    /** Seconds since the login there; null: not reported. Default: just now. */
    loggedInSecondsAgo: z.optional(z.nullable(z.number().check(z.int(), z.minimum(0)))),
  }),
)
export type ChosenAccount = z.output<typeof chosenAccount>

/** Local stand-in only. `unknown_client`: not our client, so there is no redirect. */
export const authorizeLocally = endpoint({
  method: 'POST',
  path: '/dev/google/authorize',
  auth: 'none',
  body: z.object({ request: authorizationRequest, account: chosenAccount }),
  status: 200,
  reply: z.object({ address: z.string() }),
  errors: { unknown_client: 400 },
})
