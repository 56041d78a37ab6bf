import * as z from 'zod/mini'
import { safeNextPath } from '#lib/account/next-path.ts'
import { pendingCall } from './pending-call.ts'
import { localStore } from './storage.ts'

/** Stored for the browser, because the confirmation link opens another tab. */

const returnPathSchema = z.object({ path: z.string(), atMs: z.number() })
const returnPathKey = 'afterRegistration'
/** As long as the confirmation link is valid. */
const returnPathMs = 24 * 3600 * 1000

/** Remembers the `?next=` of an address, if it leads to a page of this site. */
export function rememberReturnPath(address: string): void {
  const path = safeNextPath(nextOf(address), '')
  if (path !== '') rememberReturnPathFor(path)
}

export function rememberReturnPathFor(path: string): void {
  localStore.write(returnPathKey, JSON.stringify({ path, atMs: Date.now() }))
}

/**
 * The return path after a sign-in: the address's `?next=`, or the remembered path (once), or `fallback`. A number that
 * was to be called after the path was remembered leads to the dialler.
 */
export function consumeReturnPath(address: string, fallback: string): string {
  const returnPath = readReturnPath()
  localStore.remove(returnPathKey)
  return safeNextPath(nextOf(address), safeNextPath(returnPath, fallback))
}

/** The fragment carries what no server may read, such as a number. */
function nextOf(address: string): string | null {
  const { searchParams, hash } = new URL(address)
  const next = searchParams.get('next')
  return next === null ? null : `${next}${hash}`
}

function readReturnPath(): string | null {
  try {
    const { path, atMs } = z.parse(returnPathSchema, JSON.parse(localStore.read(returnPathKey) ?? 'null'))
    const superseded = (pendingCall()?.atMs ?? 0) > atMs
    return Math.abs(Date.now() - atMs) < returnPathMs && !superseded ? path : null
  } catch {
    return null // Missing, or written by other code.
  }
}
