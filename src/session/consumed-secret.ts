/**
 * Takes a secret, such as a mailed token, out of the address bar and the history; null if there is none. It is in the
 * fragment, which browsers do not send to servers; links of an earlier version have it in the query.
 */
export function consumeSecret(name: string): string | null {
  const address = new URL(window.location.href)
  const fragment = new URLSearchParams(address.hash.slice(1))
  const secret = fragment.get(name) ?? address.searchParams.get(name)
  if (secret === null) return null
  fragment.delete(name)
  address.searchParams.delete(name)
  address.hash = fragment.toString()
  window.history.replaceState(window.history.state, '', address)
  return secret
}
