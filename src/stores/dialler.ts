import type { BalanceEvent, CallErrorEvent, CallEvent } from '#lib/api/realtime.ts'
import { followCalls, markLiveCalls } from './after-call.ts'
import { followBalance, tellBalance } from './balance.ts'
import { callLine } from './call.ts'
import { chooseLinkedCountry, followNumber, loadPhoneRules } from './dial.ts'
import { openRealtime } from './realtime.ts'
import { start } from './session.ts'
import { $user, loadUser } from './user.ts'

let opened = false

/** Puts the dialler's stores to work, once per page. */
export function openDialler(): void {
  if (opened) return
  opened = true
  chooseLinkedCountry(window.location.href)
  markLiveCalls()
  followCalls()
  followBalance()
  followNumber()
  followUser()
  // Leaving the page ends the call: by the caller, whatever the voice client makes of it.
  window.addEventListener('pagehide', () => callLine.hangUp())
  // A piece that does not load is dealt with by the page (specification section 2); Call asks for it again.
  loadPhoneRules().catch((error: unknown) => console.error('The numbering plans did not load.', error))
  void start().then(loadUser)
}

/** One real-time socket, for whoever is signed in. */
function followUser(): void {
  let userId: string | null = null
  let close: (() => void) | null = null
  $user.subscribe(user => {
    if ((user?.id ?? null) === userId) return
    userId = user?.id ?? null
    close?.()
    close = userId === null ? null : openRealtime(userId, handlers)
  })
}

const handlers = {
  balance: ({ credits }: BalanceEvent) => tellBalance(credits),
  // The answer of a call, here or in another tab, uses the free call up.
  call: ({ state }: CallEvent) => {
    if (state === 'answered' && $user.get()?.has_used_free_call === false) void loadUser()
  },
  callError: ({ message, callId }: CallErrorEvent) => callLine.refuse(message, callId),
  // What was told meanwhile is missed.
  reconnected: () => void loadUser(),
}
