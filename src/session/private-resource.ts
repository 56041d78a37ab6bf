import { atom, type ReadableAtom } from 'nanostores'
import { followSession } from './follow-session.ts'

export type Resource<Value> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'ready'; readonly value: Value }

export type Answer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly message: string }

export interface PrivateResource<Value> {
  readonly $state: ReadableAtom<Resource<Value>>
  /** Loads the value, also to retry. A ready value stays until the answer, and after a failure. */
  load(): Promise<void>
  /** Makes all loads in progress outdated. @returns whether nothing has made this one outdated */
  begin(): () => boolean
  set(value: Value): void
  /** Changes the ready value as a change on the server has; loads it if none is ready. */
  update(change: (value: Value) => Value): void
  reset(): void
}

const loading = { state: 'loading' } as const

/**
 * What the server knows about the signed-in user. Reset when the user changes; answers to outdated loads are ignored.
 * Only the file of the store that creates it may change it; others read `$state`.
 * @param ask null if there is nothing to show, for example because the page is being left; `isCurrent` says whether its
 *   answer is still wanted
 */
export function createPrivateResource<Value>(
  ask: (isCurrent: () => boolean) => Promise<Answer<Value> | null>,
): PrivateResource<Value> {
  const $state = atom<Resource<Value>>(loading)
  /** Counts loads, changes, and changes of the user. */
  let turn = 0

  function begin(): () => boolean {
    turn += 1
    const mine = turn
    return () => mine === turn
  }

  function show(state: Resource<Value>): void {
    turn += 1
    $state.set(state)
  }

  const reset = () => show(loading)
  const set = (value: Value) => show({ state: 'ready', value })

  async function load(): Promise<void> {
    const isCurrent = begin()
    if ($state.get().state === 'failed') $state.set(loading)
    const result = await ask(isCurrent)
    if (result === null || !isCurrent()) return
    if (result.ok) set(result.value)
    else if ($state.get().state !== 'ready') show({ state: 'failed', message: result.message })
  }

  function update(change: (value: Value) => Value): void {
    const shown = $state.get()
    if (shown.state === 'ready') set(change(shown.value))
    else void load()
  }

  followSession(reset)
  return { $state, load, begin, set, update, reset }
}
