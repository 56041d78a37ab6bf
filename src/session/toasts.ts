import { atom } from 'nanostores'
import { go } from './navigation.ts'
import { consumeFromTab, tabStore } from './storage.ts'

const types = ['success', 'info', 'warning', 'error'] as const
export interface NewToast {
  readonly type: (typeof types)[number]
  readonly message: string
  readonly sticky?: boolean | undefined
}
export type Toast = NewToast & { readonly id: number }

/** How long a toast stays (SPEC-4.6). */
export const toastMs = 4_000
const carriedKey = 'toast'

/** Oldest first. */
export const $toasts = atom<readonly Toast[]>([])

interface Countdown {
  leftMs: number
  startedAtMs: number
  timer: ReturnType<typeof setTimeout> | null
}

const countdowns = new Map<number, Countdown>()
let lastId = 0
let held = false

function run(id: number, countdown: Countdown): void {
  countdown.startedAtMs = performance.now()
  countdown.timer = setTimeout(() => dismissToast(id), countdown.leftMs)
}

export function dismissToast(id: number): void {
  const countdown = countdowns.get(id)
  if (countdown?.timer != null) clearTimeout(countdown.timer)
  countdowns.delete(id)
  $toasts.set($toasts.get().filter(toast => toast.id !== id))
}

/** Shows a message for 4 s, or until dismissed if `sticky`, in place of one with the same text. @returns its id */
export function showToast(toast: NewToast): number {
  for (const shown of $toasts.get())
    if (shown.type === toast.type && shown.message === toast.message) dismissToast(shown.id)
  lastId += 1
  const id = lastId
  $toasts.set([...$toasts.get(), { ...toast, id }])
  if (!toast.sticky) {
    const countdown: Countdown = { leftMs: toastMs, startedAtMs: 0, timer: null }
    countdowns.set(id, countdown)
    if (!held) run(id, countdown)
  }
  return id
}

/** Pauses the timers while the pointer or the focus is on the toasts. */
export function holdToasts(): void {
  held = true
  for (const countdown of countdowns.values()) {
    if (countdown.timer === null) continue
    clearTimeout(countdown.timer)
    countdown.timer = null
    countdown.leftMs -= performance.now() - countdown.startedAtMs
  }
}

export function releaseToasts(): void {
  if (!held) return
  held = false
  for (const [id, countdown] of countdowns) run(id, countdown)
}

/** Stores a toast for the next page, when other code does the redirect. */
export function carryToast(toast: NewToast): void {
  tabStore.write(carriedKey, JSON.stringify(toast))
}

/** Goes to a page of this site, which shows the toast (PD-14). */
export function redirectWithToast(path: string, toast: NewToast): void {
  carryToast(toast)
  go(path)
}

/** Shows the toast that the previous page left, if any. Called once when a page starts. */
export function showCarriedToast(): void {
  const carried = consumeFromTab(carriedKey)
  if (carried === null) return
  try {
    const toast: unknown = JSON.parse(carried)
    if (isToast(toast)) showToast(toast)
  } catch {
    // Written by other code: nothing to show.
  }
}

/** Checked by hand: every page with an island loads this file, and most need no schema library otherwise. */
function isToast(value: unknown): value is NewToast {
  const { type, message, sticky } = (value ?? {}) as Partial<Record<keyof NewToast, unknown>>
  return (
    types.some(known => known === type) &&
    typeof message === 'string' &&
    (sticky === undefined || typeof sticky === 'boolean')
  )
}
