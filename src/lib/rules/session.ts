/** What a browser may conclude from an access token by itself (specification section 4, 'Session'). */

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** The text behind base64url, or null when it is not base64url of UTF-8. `atob` is not everywhere this runs. */
function decodeBase64Url(encoded: string): string | null {
  const characters = encoded.replace(/=+$/, '')
  let escaped = ''
  let bits = 0
  let bitCount = 0
  for (const character of characters) {
    const value = alphabet.indexOf(character)
    if (value === -1) return null
    bits = ((bits << 6) | value) & 0xfff
    bitCount += 6
    if (bitCount < 8) continue
    bitCount -= 8
    escaped += `%${((bits >> bitCount) & 0xff).toString(16).padStart(2, '0')}`
  }
  try {
    return decodeURIComponent(escaped)
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

/** What a three-part signed token claims; null when that cannot be read from it. Nothing here verifies it. */
export function tokenClaims(token: string): object | null {
  const [, payload, ...rest] = token.split('.')
  if (payload === undefined || rest.length !== 1) return null
  const claims = parseJson(decodeBase64Url(payload) ?? '')
  return typeof claims === 'object' ? claims : null
}

/** When a three-part signed token expires, in ms since the epoch; null when that cannot be read from it. */
export function tokenExpiryMs(token: string): number | null {
  const claims = tokenClaims(token)
  if (claims === null || !('exp' in claims)) return null
  return typeof claims.exp === 'number' && Number.isFinite(claims.exp) ? claims.exp * 1000 : null
}

/** A token counts as expired when missing, undecodable, or its `exp` (seconds) is past the current time. */
export function isExpired(token: string | null, nowMs: number): boolean {
  const expiryMs = token === null ? null : tokenExpiryMs(token)
  return expiryMs === null || expiryMs < nowMs
}
