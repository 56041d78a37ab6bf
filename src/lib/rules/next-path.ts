const longestPath = 2000
const signInPages = ['/login', '/register']

/**
 * Where to go after signing in, from a `?next=` that anybody may have written: a path of this very site,
 * or else `fallback`. Two slashes or a backslash would leave the site, and browsers drop tabs and line
 * breaks before they look; the sign-in pages would send the visitor round in circles.
 */
export function safeNextPath(next: string | null, fallback: string): string {
  if (next === null || next.length > longestPath) return fallback
  if (!/^\/(?!\/)[^\\\p{Cc}\s]*$/u.test(next)) return fallback
  const [path = ''] = next.split(/[?#]/)
  return signInPages.includes(path.replace(/\/+$/, '')) ? fallback : next
}
