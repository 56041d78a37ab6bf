import { atom, computed, type ReadableAtom } from 'nanostores'
import { dismissReadNotice } from '../notice.ts'

/**
 * What is to be known before this number is called; it prevents no call. `limit`: the user's own limit, which the server will
 * apply. `price`: it costs more than usual. `night`: people sleep there.
 */
export interface Caution {
  readonly kind: 'limit' | 'price' | 'number' | 'night'
  readonly text: string
  /** Announced instead of a text with a clock, which changes each minute. */
  readonly spoken?: string
}

const $limit = atom<Caution | null>(null)
const $shown = atom<Caution | null>(null)
const $night = atom<Caution | null>(null)
export const $caution: ReadableAtom<Caution | null> = computed(
  [$limit, $shown, $night],
  (limit, shown, night) => limit ?? shown ?? night,
)

/** @param text the user's own limit that prevents the call; null if none does */
export function setSpendingWarning(text: string | null): void {
  $limit.set(text === null ? null : { kind: 'limit', text })
}

export function showCaution(caution: Caution | null): void {
  if (caution?.text === $shown.get()?.text) return
  if (caution !== null) dismissReadNotice()
  $shown.set(caution)
}

/** @param text null while people are up @param spoken what it said at first of this number */
export function setNight(text: string | null, spoken = text): void {
  const shown = $night.get()
  if (text === null || spoken === null) $night.set(null)
  else if (text !== shown?.text || spoken !== shown.spoken) $night.set({ kind: 'night', text, spoken })
}
