import type { BalanceEvent, CallErrorEvent, CallEvent } from '#lib/api/realtime.ts'
import { isLive } from '#lib/rules/call.ts'
import { followBalance, tellBalance } from './balance.ts'
import { $call, callLine } from './call.ts'
import { followCaution } from './caution.ts'
import { chooseLinkedCountry, enterLinkedNumber, followNumber, loadPhoneRules } from './dial.ts'
import { markLiveCalls } from './mark-live-calls.ts'
import { notify } from './notice.ts'
import { start } from './session.ts'
import { $user, loadUser } from './user.ts'

let opened = false

/** Puts the dialler's stores to work, once per page. */
export function openDialler(): void {
  if (opened) return
  opened = true
  chooseLinkedCountry(window.location.href)
  enterLinkedNumber(window.location.href)
  markLiveCalls()
  followBalance(hangUpUnlessToppedUp)
  followCaution()
  followNumber()
  void followLater()
  // Leaving the page ends the call: by the caller, whatever the voice client makes of it.
  window.addEventListener('pagehide', () => callLine.hangUp())
  // A piece that does not load is dealt with by the page (specification section 2); Call asks for it again.
  loadPhoneRules().catch((error: unknown) => console.error('The numbering plans did not load.', error))
  void start().then(loadUser)
}

/** Puts those to work without which the phone can be used: their code comes once it can. */
async function followLater(): Promise<void> {
  try {
    const { feedback, followCalls, followPayment, openRealtime, wizard } = await import('./dialler-later.ts')
    void followPayment()
    followCalls()
    followUser(openRealtime)
    feedback.follow()
    wizard.offer()
  } catch (error) {
    // A piece that does not load is dealt with by the page (specification section 2).
    console.error('What follows calls did not load.', error)
  }
}

/** One real-time socket, for whoever is signed in. */
function followUser(openRealtime: typeof import('./realtime.ts').openRealtime): void {
  let userId: string | null = null
  let close: (() => void) | null = null
  $user.subscribe(user => {
    if ((user?.id ?? null) === userId) return
    userId = user?.id ?? null
    close?.()
    close = userId === null ? null : openRealtime(userId, handlers)
  })
}

/** Specification section 4: hung up when the balance would reach 0, unless it is topped up by itself. */
function hangUpUnlessToppedUp(): void {
  if ($user.get()?.auto_topup_enabled !== true) callLine.hangUp()
}

/** Shows the server's message and resets the status. About a call of another page this one says nothing. */
function tellCallError({ message, callId }: CallErrorEvent): void {
  if (isLive($call.get())) callLine.refuse(message, callId)
  else if (callId === undefined) notify({ tone: 'bad', text: message })
}

const handlers = {
  balance: ({ credits, notice }: BalanceEvent) => {
    tellBalance(credits)
    if (notice === undefined) return
    notify({ tone: 'warn', text: notice, about: 'top_up' })
    // Auto top-up may have been paused: then a call ends with its credits.
    void loadUser()
  },
  // The answer of a call, here or in another tab, uses the free call up.
  call: ({ state }: CallEvent) => {
    if (state === 'answered' && $user.get()?.has_used_free_call === false) void loadUser()
  },
  callError: (event: CallErrorEvent) => {
    tellCallError(event)
    // Whether this user may call, and with how much, may be what has changed.
    void loadUser()
  },
  // What was told meanwhile is missed.
  reconnected: () => void loadUser(),
}
