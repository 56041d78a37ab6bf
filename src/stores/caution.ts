import { atom, computed, type ReadableAtom } from 'nanostores'
import { dismissReadNotice } from './notice.ts'

const $shown = atom<string | null>(null)
const $barred = atom<string | null>(null)
/** What to say about the number in the field before it is called; it may be called all the same. */
export const $caution: ReadableAtom<string | null> = computed(
  [$barred, $shown],
  (barred, shown) => barred ?? shown,
)

/** Which limit of the caller's own keeps them from calling the number in the field, if any. */
export function tellOwnLimit(text: string | null): void {
  $barred.set(text)
}

/** Says something about the number, null for nothing: what there is to say is found in a piece that comes later. */
export function showCaution(text: string | null): void {
  if (text === $shown.get()) return
  if (text !== null) dismissReadNotice()
  $shown.set(text)
}
