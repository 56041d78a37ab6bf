import { atom, computed, type ReadableAtom } from 'nanostores'
import { dismissReadNotice } from '../notice.ts'

const $shown = atom<string | null>(null)
const $barred = atom<string | null>(null)
/** A warning about the number in the field; it does not prevent the call. */
export const $caution: ReadableAtom<string | null> = computed(
  [$barred, $shown],
  (barred, shown) => barred ?? shown,
)

/** @param text the user's own limit that prevents the call; null if none does */
export function setSpendingWarning(text: string | null): void {
  $barred.set(text)
}

export function showCaution(text: string | null): void {
  if (text === $shown.get()) return
  if (text !== null) dismissReadNotice()
  $shown.set(text)
}
