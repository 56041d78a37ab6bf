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
import { texts } from './realtime-texts.ts'
import { currentToken, endSession, refreshAfter } from './session.ts'
import { showToast } from './toasts.ts'

type RealtimeSocket = Socket<ServerEvents, ClientEvents>

export interface RealtimeHandlers {
  readonly balance: (event: BalanceEvent) => void
  readonly call: (event: CallEvent) => void
  readonly callError: (event: CallErrorEvent) => void
  /** Unparsed, as few pages need it. */
  readonly verification?: (event: unknown) => void
  /** Events may have been missed. */
  readonly reconnected: () => void
  /** A live call continues without a session. */
  readonly isInCall: () => boolean
  /** Warns the user once per lost connection. @returns whether the user was warned */
  readonly warnOfTrouble: () => boolean
}

/** Transports and delays of SPEC-7.17 and SPEC-9.18. */
const socketOptions = {
  withCredentials: true,
  transports: ['websocket', 'polling'],
  // Without it, the second transport is never tried.
  tryAllTransports: true,
  timeout: 20_000,
  reconnectionDelay: 1000,
  reconnectionDelayMax: 5000,
  randomizationFactor: 0.5,
  reconnectionAttempts: Number.POSITIVE_INFINITY,
}

/** Delay before reconnecting when the server has disconnected, perhaps for a reason. */
const afterServerDisconnectMs = 1000

/**
 * Opens the user's real-time socket and keeps it open: registers on each connect and reconnects even if the server
 * disconnected. Its events are hints (`src/lib/api/realtime.ts`). @returns closes it for good
 */
export function openRealtime(userId: string, handlers: RealtimeHandlers): () => void {
  const closing = new AbortController()
  import('socket.io-client').then(
    ({ io }) => {
      if (closing.signal.aborted) return
      const socket = io({ ...socketOptions, auth: provideAuth => provideAuth({ token: currentToken() }) })
      closing.signal.addEventListener('abort', () => socket.disconnect())
      follow(socket, userId, handlers, closing.signal)
    },
    (error: unknown) => {
      console.error('The real-time client did not load.', error)
      handlers.warnOfTrouble()
    },
  )
  return () => closing.abort()
}

export function showConnectionTrouble(): true {
  showToast({ type: 'warning', message: texts.socketTrouble })
  return true
}

function follow(
  socket: RealtimeSocket,
  userId: string,
  handlers: RealtimeHandlers,
  closed: AbortSignal,
): void {
  let troubled = false
  let connectedBefore = false

  function trouble(): void {
    if (!troubled) troubled = handlers.warnOfTrouble()
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
    // A call continues without a session; the next request after it will end the session.
    else if (!handlers.isInCall()) endSession()
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
    // The client reconnects after a lost connection, but not after a rejection by our server.
    if (!socket.active && error.message === 'unauthorized') return void renewAndConnect()
    trouble()
    if (!socket.active) connectLater()
  })
  socket.on('balance', event => {
    const parsed = z.safeParse(balanceEvent, event)
    if (parsed.success) handlers.balance(parsed.data)
  })
  if (handlers.verification) socket.on('verification', handlers.verification)
  socket.on('call', event => {
    const parsed = z.safeParse(callEvent, event)
    if (parsed.success) handlers.call(parsed.data)
  })
  socket.on('call_error', event => {
    const parsed = z.safeParse(callErrorEvent, event)
    if (parsed.success) handlers.callError(parsed.data)
  })
}
