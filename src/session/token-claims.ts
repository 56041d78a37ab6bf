/** What a browser may conclude from an access token by itself (SPEC-4.2). */

/** The claims of a three-part signed token, unverified; null if unreadable. */
export function tokenClaims(token: string): object | null {
  const [, payload = '', ...rest] = token.split('.')
  if (rest.length !== 1 || !/^[\w-]+=*$/.test(payload)) return null
  try {
    const bytes = atob(payload.replace(/=+$/, '').replace(/-/g, '+').replace(/_/g, '/'))
    const utf8 = Uint8Array.from(bytes, byte => byte.charCodeAt(0))
    const claims: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(utf8))
    return typeof claims === 'object' ? claims : null
  } catch {
    return null
  }
}

/** When a three-part signed token expires, in ms since the epoch; null if unreadable. */
export function tokenExpiryMs(token: string): number | null {
  const claims = tokenClaims(token)
  if (claims === null || !('exp' in claims)) return null
  return typeof claims.exp === 'number' && Number.isFinite(claims.exp) ? claims.exp * 1000 : null
}

/** Whether a token is missing, undecodable, or past its `exp` (seconds). */
export function isExpired(token: string | null, nowMs: number): boolean {
  const expiryMs = token === null ? null : tokenExpiryMs(token)
  return expiryMs === null || expiryMs < nowMs
}
