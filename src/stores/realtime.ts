import type { Socket } from 'socket.io-client'
import {
  balanceEvent,
  callErrorEvent,
  callEvent,
  type BalanceEvent,
  type CallErrorEvent,
  type CallEvent,
  type ClientEvents,
  type ServerEvents,
} from '#lib/api/realtime.ts'
import { currentToken, refreshAfter } from './session.ts'
import { showToast } from './toasts.ts'

export interface RealtimeHandlers {
  readonly balance: (event: BalanceEvent) => void
  readonly call: (event: CallEvent) => void
  readonly callError: (event: CallErrorEvent) => void
}

/** Specification sections 7 and 9. */
const socketOptions = {
  withCredentials: true,
  transports: ['websocket', 'polling'],
  timeout: 20_000,
  reconnectionDelay: 1000,
  reconnectionDelayMax: 5000,
  randomizationFactor: 0.5,
  reconnectionAttempts: Number.POSITIVE_INFINITY,
}

/** Between a disconnect by the server and the next try: it may have had its reasons. */
const afterServerDisconnectMs = 1000

/**
 * Opens the real-time socket for a user and keeps it open as long as the page lives: registers on each
 * connect, and connects again also where the server hung up. Its events are hints (`src/lib/api/realtime.ts`).
 */
export async function openRealtime(userId: string, handlers: RealtimeHandlers): Promise<void> {
  const { io } = await import('socket.io-client')
  const socket: Socket<ServerEvents, ClientEvents> = io({
    ...socketOptions,
    auth: tell => tell({ token: currentToken() }),
  })
  /** Trouble is told once until the line is good again. */
  let troubled = false

  function trouble(): void {
    if (troubled) return
    troubled = true
    showToast({ type: 'warning', message: 'Connection issue - some features may not work' })
  }

  function connectLater(): void {
    setTimeout(() => socket.connect(), afterServerDisconnectMs)
  }

  async function renewAndConnect(): Promise<void> {
    if ((await refreshAfter(currentToken())) !== 'refreshed') trouble()
    connectLater()
  }

  socket.on('connect', () => {
    troubled = false
    socket.emit('register', userId)
  })
  socket.on('disconnect', reason => {
    if (reason === 'io server disconnect') connectLater()
  })
  socket.on('connect_error', error => {
    // The client tries again by itself after a lost line, but not after a refusal by our server.
    if (socket.active) trouble()
    else if (error.message === 'unauthorized' && currentToken() !== null) void renewAndConnect()
    else trouble()
  })
  socket.on('balance', event => {
    const parsed = balanceEvent.safeParse(event)
    if (parsed.success) handlers.balance(parsed.data)
  })
  socket.on('call', event => {
    const parsed = callEvent.safeParse(event)
    if (parsed.success) handlers.call(parsed.data)
  })
  socket.on('call_error', event => {
    const parsed = callErrorEvent.safeParse(event)
    if (parsed.success) handlers.callError(parsed.data)
  })
}
