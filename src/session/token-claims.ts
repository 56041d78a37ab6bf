/** What a browser may conclude from an access token by itself (SPEC-4.2). */

/** Decodes base64url; null if it is not base64url of UTF-8. */
function decodeBase64Url(encoded: string): string | null {
  const characters = encoded.replace(/=+$/, '')
  if (/[^\w-]/.test(characters)) return null
  try {
    const bytes = atob(characters.replace(/-/g, '+').replace(/_/g, '/'))
    return new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.from(bytes, byte => byte.charCodeAt(0)),
    )
  } catch {
    return null
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The claims of a three-part signed token, unverified; null if unreadable. */
export function tokenClaims(token: string): object | null {
  const [, payload, ...rest] = token.split('.')
  if (payload === undefined || rest.length !== 1) return null
  const claims = parseJson(decodeBase64Url(payload) ?? '')
  return typeof claims === 'object' ? claims : null
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
