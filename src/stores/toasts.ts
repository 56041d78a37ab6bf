import { atom } from 'nanostores'
import { go } from './navigation.ts'
import { tabStore, takeFromTab } from './storage.ts'

const types = ['success', 'info', 'warning', 'error'] as const
export interface NewToast {
  readonly type: (typeof types)[number]
  readonly message: string
  /** Stays until dismissed. */
  readonly sticky?: boolean | undefined
}
export type Toast = NewToast & { readonly id: number }

/** Specification sections 4 and 9. */
export const toastMs = 4_000
const carriedKey = 'toast'

/** The toasts on screen, oldest first. Written here alone. */
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

/** Takes a toast off the screen. */
export function dismissToast(id: number): void {
  const countdown = countdowns.get(id)
  if (countdown?.timer != null) clearTimeout(countdown.timer)
  countdowns.delete(id)
  $toasts.set($toasts.get().filter(toast => toast.id !== id))
}

/**
 * Shows a message for 4 s, or until dismissed when `sticky`. The same message again replaces the one on
 * screen, so that it is announced and timed anew and never stands there twice.
 * @returns the id to dismiss it by
 */
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

/** Stops the clocks while somebody points at the toasts or has the focus in them. */
export function holdToasts(): void {
  held = true
  for (const countdown of countdowns.values()) {
    if (countdown.timer === null) continue
    clearTimeout(countdown.timer)
    countdown.timer = null
    countdown.leftMs -= performance.now() - countdown.startedAtMs
  }
}

/** Lets the clocks go on with what was left. */
export function releaseToasts(): void {
  if (!held) return
  held = false
  for (const [id, countdown] of countdowns) run(id, countdown)
}

/** Leaves a toast for the next page of this site, when something else goes there. */
export function carryToast(toast: NewToast): void {
  tabStore.write(carriedKey, JSON.stringify(toast))
}

/** Goes to a page of this site, which shows the toast (decision 14). */
export function redirectWithToast(path: string, toast: NewToast): void {
  carryToast(toast)
  go(path)
}

/** Shows the toast that the page before left, if any. Called once when a page starts. */
export function showCarriedToast(): void {
  const carried = takeFromTab(carriedKey)
  if (carried === null) return
  try {
    const toast: unknown = JSON.parse(carried)
    if (isToast(toast)) showToast(toast)
  } catch {
    // Something else wrote under this key: there is nothing to show.
  }
}

/** Looked at by hand: every page with an island loads this, and most of them no schemas otherwise. */
function isToast(value: unknown): value is NewToast {
  const { type, message, sticky } = (value ?? {}) as Partial<Record<keyof NewToast, unknown>>
  return (
    types.some(known => known === type) &&
    typeof message === 'string' &&
    (sticky === undefined || typeof sticky === 'boolean')
  )
}
