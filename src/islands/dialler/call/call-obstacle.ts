import { atom, type ReadableAtom } from 'nanostores'
import type { CallObstacle } from '#lib/calls/end-reasons.ts'
import { findCallObstacle } from '#voice/call-obstacle.ts'

const $found = atom<CallObstacle | null>(null)
/** What keeps this page from making calls; null if nothing does, or before the check. */
export const $callObstacle: ReadableAtom<CallObstacle | null> = $found

export function lookForCallObstacle(): void {
  $found.set(findCallObstacle())
}
