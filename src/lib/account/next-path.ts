const longestPath = 2000
/** In any language: `/login`, `/es/login`. */
const signInPage = /^(?:\/[\w-]+)?\/(?:login|register)\/*$/

/**
 * The path of an untrusted `?next=` if it is on this site, else `fallback`. Rejects two slashes and backslashes, which
 * leave the site, control characters and blanks, which browsers drop, and sign-in pages, which would loop.
 */
export function safeNextPath(next: string | null, fallback: string): string {
  if (next === null || next.length > longestPath) return fallback
  if (!/^\/(?!\/)[^\\\p{Cc}\s]*$/u.test(next)) return fallback
  const [path = ''] = next.split(/[?#]/)
  return signInPage.test(path) ? fallback : next
}
