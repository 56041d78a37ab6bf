import * as z from 'zod/mini'
import { emailAddress } from '../rules/account.ts'
import { endpoint } from './endpoint.ts'

const text = z.string().check(z.maxLength(500))

/** What a client asks of the local stand-in for Google (OpenID Connect Core, 3.1.2.1), as it stands in the page's address. */
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

/** The account that somebody has chosen there; null: they pressed cancel. */
const chosenAccount = z.nullable(
  z.object({
    email: emailAddress,
    emailVerified: z.boolean(),
    /** Who that is at the issuer, whatever the address; without one it is made of the address. */
    subject: z.optional(z.string().check(z.minLength(1), z.maxLength(255))),
  }),
)
export type ChosenAccount = z.output<typeof chosenAccount>

/** Local stand-in only. `unknown_client`: the request is not one of ours, so nobody is sent to where it says. */
export const authorizeLocally = endpoint({
  method: 'POST',
  path: '/dev/google/authorize',
  auth: 'none',
  body: z.object({ request: authorizationRequest, account: chosenAccount }),
  status: 200,
  reply: z.object({ address: z.string() }),
  errors: { unknown_client: 400 },
})
