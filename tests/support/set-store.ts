import type { ReadableAtom, WritableAtom } from 'nanostores'

/** Puts a store into a state, to test what shows it. In the page only the store's own file writes it. */
export function setStore<State>(store: ReadableAtom<State>, state: NoInfer<State>): void {
  ;(store as WritableAtom<State>).set(state)
}
