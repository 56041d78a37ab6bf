import type { Socket } from 'socket.io-client'
import * as z from 'zod/mini'
import {
  type BalanceEvent,
  balanceEvent,
  type CallErrorEvent,
  type CallEvent,
  type ClientEvents,
  callErrorEvent,
  callEvent,
  type ServerEvents,
} from '#lib/api/realtime.ts'
import { isLive } from '#lib/rules/call.ts'
import { texts } from '#lib/rules/error-texts.ts'
import { $call } from './call.ts'
import { $notice } from './notice.ts'
import { currentToken, endSession, refreshAfter } from './session.ts'
import { showToast } from './toasts.ts'

type RealtimeSocket = Socket<ServerEvents, ClientEvents>

export interface RealtimeHandlers {
  readonly balance: (event: BalanceEvent) => void
  readonly call: (event: CallEvent) => void
  readonly callError: (event: CallErrorEvent) => void
  /** The line is back after a break: events may have been missed. */
  readonly reconnected: () => void
}

/** Specification sections 7 and 9. */
const socketOptions = {
  withCredentials: true,
  transports: ['websocket', 'polling'],
  // Without it the second is never tried.
  tryAllTransports: true,
  timeout: 20_000,
  reconnectionDelay: 1000,
  reconnectionDelayMax: 5000,
  randomizationFactor: 0.5,
  reconnectionAttempts: Number.POSITIVE_INFINITY,
}

/** Between a disconnect by the server and the next try: it may have had its reasons. */
const afterServerDisconnectMs = 1000

/**
 * Opens the real-time socket for a user and keeps it open: registers on each connect, and connects again
 * also where the server hung up. Its events are hints (`src/lib/api/realtime.ts`).
 * @returns closes it for good
 */
export function openRealtime(userId: string, handlers: RealtimeHandlers): () => void {
  const closing = new AbortController()
  import('socket.io-client').then(
    ({ io }) => {
      if (closing.signal.aborted) return
      const socket = io({ ...socketOptions, auth: tell => tell({ token: currentToken() }) })
      closing.signal.addEventListener('abort', () => socket.disconnect())
      follow(socket, userId, handlers, closing.signal)
    },
    (error: unknown) => {
      console.error('The real-time client did not load.', error)
      tellTrouble()
    },
  )
  return () => closing.abort()
}

/**
 * Says that the line is in trouble, unless the page does so already. A call has its own words for a lost
 * line, and a toast would cover them.
 * @returns whether the user has been told
 */
function tellTrouble(): boolean {
  if (isLive($call.get())) return false
  if ($notice.get()?.about !== 'connection')
    showToast({ type: 'warning', message: texts.dialler.socket_trouble })
  return true
}

function follow(
  socket: RealtimeSocket,
  userId: string,
  handlers: RealtimeHandlers,
  closed: AbortSignal,
): void {
  /** Trouble is told once, until the line is good again. */
  let troubled = false
  let connectedBefore = false

  function trouble(): void {
    if (!troubled) troubled = tellTrouble()
  }

  function connectLater(): void {
    setTimeout(() => {
      if (!closed.aborted) socket.connect()
    }, afterServerDisconnectMs)
  }

  async function renewAndConnect(): Promise<void> {
    const outcome = await refreshAfter(currentToken())
    if (closed.aborted) return
    if (outcome !== 'refreshed') trouble()
    if (outcome !== 'refused') connectLater()
    // A call goes on without a session; what is asked for after it will end the session then.
    else if (!isLive($call.get())) endSession()
  }

  socket.on('connect', () => {
    troubled = false
    socket.emit('register', userId)
    if (connectedBefore) handlers.reconnected()
    connectedBefore = true
  })
  socket.on('disconnect', reason => {
    if (reason === 'io server disconnect') connectLater()
  })
  socket.on('connect_error', error => {
    // After a lost line the client tries again by itself; after a refusal by our server it does not.
    if (!socket.active && error.message === 'unauthorized') return void renewAndConnect()
    trouble()
    if (!socket.active) connectLater()
  })
  socket.on('balance', event => {
    const parsed = z.safeParse(balanceEvent, event)
    if (parsed.success) handlers.balance(parsed.data)
  })
  socket.on('call', event => {
    const parsed = z.safeParse(callEvent, event)
    if (parsed.success) handlers.call(parsed.data)
  })
  socket.on('call_error', event => {
    const parsed = z.safeParse(callErrorEvent, event)
    if (parsed.success) handlers.callError(parsed.data)
  })
}
