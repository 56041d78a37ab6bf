/**
 * The site's public address, without a trailing slash, as built into the pages. The server's rule (`server/config.ts`):
 * an empty value counts as missing. An invalid port is left to the server to reject.
 */
export function publicUrlOf(env) {
  if (env.PUBLIC_URL) return env.PUBLIC_URL.replace(/\/+$/, '')
  const local = `http://localhost:${env.PORT || 4321}`
  return URL.canParse(local) ? local : 'http://localhost:4321'
}
