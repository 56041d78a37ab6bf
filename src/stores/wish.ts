import * as z from 'zod/mini'
import { safeNextPath } from '#lib/rules/next-path.ts'
import { localStore } from './storage.ts'

/**
 * Where somebody was going who has to register first. Kept by this browser, because the confirmation mail
 * opens another tab: registering, confirming and logging in then lead there.
 */

const wishSchema = z.object({ path: z.string(), atMs: z.number() })
const wishKey = 'afterRegistration'
/** As long as the confirmation link works. */
const wishMs = 24 * 3600 * 1000

/** Remembers the `?next=` of an address, when it has one that leads to a page of this site. */
export function rememberWish(address: string): void {
  const path = safeNextPath(new URL(address).searchParams.get('next'), '')
  if (path !== '') rememberWishFor(path)
}

/** Remembers a page of this site, given by its path. */
export function rememberWishFor(path: string): void {
  localStore.write(wishKey, JSON.stringify({ path, atMs: Date.now() }))
}

/** Where to go after signing in: the address's own `?next=`, else what was remembered, once, else `fallback`. */
export function takeWish(address: string, fallback: string): string {
  const wish = readWish()
  localStore.remove(wishKey)
  return safeNextPath(new URL(address).searchParams.get('next'), safeNextPath(wish, fallback))
}

function readWish(): string | null {
  try {
    const { path, atMs } = z.parse(wishSchema, JSON.parse(localStore.read(wishKey) ?? 'null'))
    return Math.abs(Date.now() - atMs) < wishMs ? path : null
  } catch {
    return null // Nothing was remembered, or something else wrote under this key.
  }
}
