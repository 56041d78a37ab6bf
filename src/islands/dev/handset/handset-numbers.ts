import { atom, type ReadableAtom } from 'nanostores'
import { type AnsweredNumber, answeredNumbers } from '#lib/api/handset.ts'
import { request } from '#session/transport.ts'

export type Numbers =
  | { readonly state: 'loading' }
  /** `stale`: the server does not answer. */
  | { readonly state: 'ready'; readonly numbers: readonly AnsweredNumber[]; readonly stale: boolean }
  | { readonly state: 'failed' }

const $list = atom<Numbers>({ state: 'loading' })
export const $numbers: ReadableAtom<Numbers> = $list

const pollMs = 5_000
const timeoutMs = 5_000

let asked = 0

export async function refreshNumbers(): Promise<void> {
  asked += 1
  const question = asked
  const reply = await request(answeredNumbers, {}, { timeoutMs })
  if (question !== asked) return
  const before = $list.get()
  if (reply.ok) {
    const { numbers } = reply.value
    const same =
      before.state === 'ready' && !before.stale && JSON.stringify(before.numbers) === JSON.stringify(numbers)
    if (!same) $list.set({ state: 'ready', numbers, stale: false })
  } else if (before.state !== 'ready') $list.set({ state: 'failed' })
  else if (!before.stale) $list.set({ ...before, stale: true })
}

/** Loads now, every 5 s while the page is visible, and when it becomes visible. @returns stops loading */
export function watchNumbers(): () => void {
  const look = () => {
    if (!document.hidden) void refreshNumbers()
  }
  look()
  const timer = setInterval(look, pollMs)
  document.addEventListener('visibilitychange', look)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', look)
  }
}
