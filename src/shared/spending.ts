import { atom, type ReadableAtom } from 'nanostores'
import { changeCaps, getSpending, lockCountries as lockEndpoint, type Spending } from '#lib/api/spending.ts'
import { authorised } from '#session/api.ts'
import { followSession } from '#session/follow-session.ts'
import type { ApiResult } from '#session/transport.ts'

export type SpendingState =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'ready'; readonly spending: Spending }

const loading: SpendingState = { state: 'loading' }
const $shown = atom<SpendingState>(loading)
export const $spending: ReadableAtom<SpendingState> = $shown

/** Counts loads and changes, to ignore answers from before a change. */
let turn = 0
/** The previous change. Each answer is the whole state, so changes run one at a time. */
let changing: Promise<unknown> = Promise.resolve()

export async function loadSpending(): Promise<void> {
  if ($shown.get().state === 'failed') $shown.set(loading)
  await changing
  turn += 1
  const mine = turn
  const result = await authorised(getSpending, {}, { skipLogoutOnFail: true })
  if (mine !== turn) return
  if (result.ok) $shown.set({ state: 'ready', spending: result.value })
  else if ($shown.get().state !== 'ready') $shown.set({ state: 'failed', message: result.message })
}

type Change = typeof changeCaps | typeof lockEndpoint

async function change<E extends Change>(send: () => Promise<ApiResult<E>>): Promise<ApiResult<E>> {
  const before = changing
  const mine = (async () => {
    await before
    turn += 1
    const asked = turn
    const result = await send()
    if (result.ok && asked === turn) $shown.set({ state: 'ready', spending: result.value as Spending })
    return result
  })()
  changing = mine.catch(() => undefined)
  return mine
}

/** Caps in USD and whole cents; null for none. An omitted cap stays, because another page may have set it. */
export interface CapChanges {
  readonly perCall?: number | null
  readonly perMonth?: number | null
}

export function saveCaps(changes: CapChanges): Promise<ApiResult<typeof changeCaps>> {
  return change(() => authorised(changeCaps, { body: changes }))
}

/** Locks and unlocks countries by ISO code; the others stay, because another page may have changed them. */
export function saveLocked(
  lock: readonly string[],
  unlock: readonly string[],
): Promise<ApiResult<typeof lockEndpoint>> {
  return change(() => authorised(lockEndpoint, { body: { lock: [...lock], unlock: [...unlock] } }))
}

followSession(() => {
  turn += 1
  $shown.set(loading)
})
