import type { BalanceEvent, CallErrorEvent, CallEvent } from '#lib/api/realtime.ts'
import type { VerificationEvent } from '#lib/api/verification.ts'

/** Publishes changes to a user's open pages. Call after the commit; events are only hints and may be lost. */
export interface Notifier {
  balance(userId: string, event: BalanceEvent): void
  call(userId: string, event: CallEvent): void
  callError(userId: string, event: CallErrorEvent): void
  verification(userId: string, event: VerificationEvent): void
}
