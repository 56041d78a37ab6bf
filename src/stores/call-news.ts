import type { BalanceEvent, CallErrorEvent, CallEvent } from '#lib/api/realtime.ts'
import { type Call, isLive } from '#lib/rules/call.ts'
import { tellLate } from './after-call.ts'
import { tellBalance } from './balance.ts'
import { $call, callLine } from './call.ts'
import { refreshTerms } from './call-terms.ts'
import { tellNotFree } from './free-call.ts'
import { notify } from './notice.ts'
import { openRealtime } from './realtime.ts'
import { refreshRecents } from './recents.ts'
import { $user, loadUser } from './user.ts'

/** Keeps the dialler told of what the server pushes: one real-time socket, for whoever is signed in. */
export function followNews(): void {
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

/** Whether a call that the server names is this page's, the last one included: every page is told of all its user's. */
function isOwn(call: Call, { callId, attempt }: Names): boolean {
  if (call.state === 'idle') return false
  return call.attemptId === attempt || call.callId === callId
}

/** Shows the server's message and resets the status. About a call of another page this one says nothing. */
function tellCallError({ message, code, ...names }: CallErrorEvent): void {
  const call = $call.get()
  const nameless = names.callId === undefined && names.attempt === undefined
  if (!nameless && !isOwn(call, names)) return
  if (code === 'not_free') tellNotFree()
  if (isLive(call)) callLine.refuse(message, code)
  // How a call with an id went is told by its record.
  else if (names.callId === undefined) notify({ tone: 'bad', text: message })
}

function tellCall({ id, attempt, state }: CallEvent): void {
  if (attempt !== undefined && isOwn($call.get(), { attempt })) {
    callLine.identify(id)
    if (state === 'ended') tellLate(id)
  }
  if (state === 'ended') refreshRecents()
  if (state === 'answered') refreshTerms(id)
  // The answer of a call, here or in another tab, uses the free call up.
  if (state === 'answered' && $user.get()?.has_used_free_call === false) void loadUser()
}

const handlers = {
  balance: ({ credits, notice }: BalanceEvent) => {
    tellBalance(credits)
    if (notice === undefined) return
    notify({ tone: 'warn', text: notice, about: 'top_up' })
    // Auto top-up may have been paused: then a call ends with its credits.
    void loadUser()
  },
  call: tellCall,
  callError: (event: CallErrorEvent) => {
    tellCallError(event)
    // Whether this user may call, and with how much, may be what has changed.
    void loadUser()
  },
  // What was told meanwhile is missed.
  reconnected: () => {
    void loadUser()
    refreshRecents()
  },
}
