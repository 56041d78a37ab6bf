import type { ReadableAtom } from 'nanostores'
import { changeCaps, getSpending, lockCountries as lockEndpoint, type Spending } from '#lib/api/spending.ts'
import { authorised } from '#session/api.ts'
import { createPrivateResource, type Resource } from '#session/private-resource.ts'
import type { ApiResult } from '#session/transport.ts'

const resource = createPrivateResource<Spending>(() =>
  authorised(getSpending, {}, { skipLogoutOnFail: true }),
)
export const $spending: ReadableAtom<Resource<Spending>> = resource.$state

/** The previous change. Each answer is the whole state, so changes run one at a time. */
let changing: Promise<unknown> = Promise.resolve()

export async function loadSpending(): Promise<void> {
  await changing
  await resource.load()
}

type Change = typeof changeCaps | typeof lockEndpoint

async function change<E extends Change>(send: () => Promise<ApiResult<E>>): Promise<ApiResult<E>> {
  const before = changing
  const mine = (async () => {
    await before
    const isCurrent = resource.begin()
    const result = await send()
    if (result.ok && isCurrent()) resource.set(result.value as Spending)
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
