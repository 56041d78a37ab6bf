import * as z from 'zod/mini'
import { type AuthorizationRequest, authorizationRequest, authorizeLocally } from '#lib/api/local-google.ts'
import { go } from './navigation.ts'
import { request } from './transport.ts'

/** What the page's address asks of the local stand-in for Google; null where it asks nothing that it knows. */
export function readAuthorizationRequest(): AuthorizationRequest | null {
  const query = Object.fromEntries(new URL(window.location.href).searchParams)
  const parsed = z.safeParse(authorizationRequest, query)
  return parsed.success ? parsed.data : null
}

/**
 * Goes back to who asked, as the account that was chosen.
 * @param account null: with a refusal
 * @returns why that failed, fit to be shown; null when it did not
 */
export async function goBackAs(
  asked: AuthorizationRequest,
  account: { readonly email: string; readonly emailVerified: boolean } | null,
): Promise<string | null> {
  const reply = await request(authorizeLocally, { body: { request: asked, account } })
  if (!reply.ok) return reply.message
  go(reply.value.address)
  return null
}
