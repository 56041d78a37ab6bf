import type { BalanceEvent, CallErrorEvent, CallEvent } from '#lib/api/realtime.ts'
import { openRealtime } from '#session/realtime.ts'
import { $user, loadUser } from '#session/user.ts'
import { type Call, isLive } from '#voice/call.ts'
import { $balance, refreshBalance, setBalance } from './call/balance.ts'
import { $call, callLine } from './call/call.ts'
import { refreshTerms } from './call/call-terms.ts'
import { markFreeCallRejected } from './call/free-call.ts'
import { settleLateCall } from './call-ended/after-call.ts'
import { isInCall, warnOfTrouble } from './connection-trouble.ts'
import { refreshRecents } from './contacts/recents.ts'
import { dismissRejection, notify } from './notice.ts'

/** Applies server events in the dialler: one real-time socket, for the signed-in user. */
export function subscribeToServerEvents(): void {
  let userId: string | null = null
  let close: (() => void) | null = null
  $user.subscribe(user => {
    if ((user?.id ?? null) === userId) return
    userId = user?.id ?? null
    close?.()
    close = userId === null ? null : openRealtime(userId, handlers)
  })
}

interface Names {
  readonly callId?: string | undefined
  readonly attempt?: string | undefined
}

/** Each page receives the events of all the user's calls. True also for the page's last call. */
function isOwn(call: Call, { callId, attempt }: Names): boolean {
  if (call.state === 'idle') return false
  return call.attemptId === attempt || call.callId === callId
}

/** Shows the server's message and ends the call. Ignores errors of other pages' calls. */
function applyCallError({ message, code, ...names }: CallErrorEvent): void {
  const call = $call.get()
  const nameless = names.callId === undefined && names.attempt === undefined
  if (!nameless && !isOwn(call, names)) return
  if (code === 'not_free') markFreeCallRejected()
  if (isLive(call)) callLine.reject(message, code)
  // A call with an id has a record, which explains the end.
  else if (names.callId === undefined) notify({ tone: 'bad', text: message })
}

function applyCallEvent({ id, attempt, state }: CallEvent): void {
  if (attempt !== undefined && isOwn($call.get(), { attempt })) {
    callLine.identify(id)
    if (state === 'ended') settleLateCall(id)
  }
  if (state === 'ended') refreshRecents()
  if (state === 'answered') refreshTerms(id)
  // An answered call, here or in another tab, uses up the free call.
  if (state === 'answered' && $user.get()?.has_used_free_call === false) void loadUser()
}

/** With more credits than before, the reason for a rejection may no longer hold. @param before micro-dollars */
function dismissRejectionAbove(before: number | null): void {
  const { microUsd } = $balance.get()
  if (before !== null && microUsd !== null && microUsd > before) dismissRejection()
}

async function catchUp(): Promise<void> {
  const before = $balance.get().microUsd
  refreshRecents()
  await refreshBalance()
  dismissRejectionAbove(before)
}

const handlers = {
  balance: ({ credits, notice }: BalanceEvent) => {
    const before = $balance.get().microUsd
    setBalance(credits)
    dismissRejectionAbove(before)
    if (notice === undefined) return
    notify({ tone: 'warn', text: notice, about: 'top_up' })
    // Auto top-up may have been paused, so a call would end with the credits.
    void loadUser()
  },
  call: applyCallEvent,
  callError: (event: CallErrorEvent) => {
    applyCallError(event)
    // The user's permission to call or balance may have changed.
    void loadUser()
  },
  isInCall,
  warnOfTrouble,
  reconnected: () => void catchUp(),
}
