import * as z from 'zod/mini'
import { type AuthorizationRequest, authorizationRequest, authorizeLocally } from '#lib/api/local-google.ts'
import { go } from '#session/navigation.ts'
import { request } from '#session/transport.ts'

/** Null if the address has no valid request. */
export function readAuthorizationRequest(): AuthorizationRequest | null {
  const query = Object.fromEntries(new URL(window.location.href).searchParams)
  const parsed = z.safeParse(authorizationRequest, query)
  return parsed.success ? parsed.data : null
}

/** @param account null to decline @returns why that failed, fit to be shown; null if it did not */
export async function goBackAs(
  asked: AuthorizationRequest,
  account: { readonly email: string; readonly emailVerified: boolean } | null,
): Promise<string | null> {
  const reply = await request(authorizeLocally, { body: { request: asked, account } })
  if (!reply.ok) return reply.message
  go(reply.value.address)
  return null
}
