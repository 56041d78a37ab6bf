/**
 * The site's public address, without a trailing slash, as built into the pages. An empty value counts as missing, as in
 * `server/config.ts`. Without one the pages are the same for every PORT: a server on another port replaces the address in what it
 * sends (`server/http/readdress-pages.ts`).
 */
export function publicUrlOf(env) {
  return (env.PUBLIC_URL || 'http://localhost:4321').replace(/\/+$/, '')
}
