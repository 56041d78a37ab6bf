import type { BalanceEvent, CallErrorEvent, CallEvent } from '#lib/api/realtime.ts'

/** Tells a user's open pages what just changed. Hints only: called after the commit, and free to be lost. */
export interface Notifier {
  balance(userId: string, event: BalanceEvent): void
  call(userId: string, event: CallEvent): void
  callError(userId: string, event: CallErrorEvent): void
}
