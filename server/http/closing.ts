import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { stopTimes } from '../process/stop-times.ts'

/** Interval of the search for idle connections: Node closes only those that were idle at the beginning. */
const lookMs = 50

export interface ClosingTimes {
  /** Milliseconds for a request to arrive completely. */
  readonly asking: number
  /** Milliseconds for a complete request to be answered. */
  readonly answering: number
}

/** A turn of the event loop this short had nothing to do. */
const quietTurnMs = 0.05
/** A server that is never quiet closes after this time. */
const longestNoiseMs = 1000

/** Waits for a turn of the event loop without input: a connection accepted since its last poll is reset by closing. */
async function quietTurn(): Promise<void> {
  const begun = performance.now()
  let before = begun
  for (;;) {
    await new Promise(resolve => setImmediate(resolve))
    const now = performance.now()
    if (now - before < quietTurnMs || now - begun > longestNoiseMs) return
    before = now
  }
}

/**
 * Returns a function that rejects new connections, answers pending requests and cuts off slow ones. Upgraded
 * connections are left to their owners.
 */
export function prepareClosing(app: FastifyInstance, times: ClosingTimes = stopTimes): () => Promise<void> {
  const { server } = app
  const connections = new Set<Socket>()
  const latest = new WeakMap<Socket, { request: IncomingMessage; response: ServerResponse }>()
  server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  server.on('upgrade', ({ socket }: IncomingMessage) => connections.delete(socket))
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    latest.set(request.socket, { request, response })
  })
  const isAnswered = (connection: Socket) => {
    const exchange = latest.get(connection)
    return exchange?.request.complete === true && !exchange.response.writableFinished
  }
  const cutTheUnasked = () => {
    for (const connection of connections) if (!isAnswered(connection)) connection.destroy()
  }

  return async () => {
    const begun = performance.now()
    // Right after reading what has arrived: a connection closed then is unlikely to be receiving data.
    const look = () => {
      server.closeIdleConnections()
      if (performance.now() - begun > times.asking) cutTheUnasked()
    }
    const looking = setInterval(() => void quietTurn().then(look), lookMs)
    const timer = setTimeout(() => server.closeAllConnections(), times.answering)
    try {
      await quietTurn()
      await new Promise(resolve => server.close(resolve))
      await app.close()
    } finally {
      clearInterval(looking)
      clearTimeout(timer)
    }
  }
}

/** Node would leave upgrades on other paths open for ever, which keeps the server from stopping. */
export function refuseOtherUpgrades(
  server: Server,
  paths: readonly string[],
  isStopping: () => boolean,
): void {
  server.on('upgrade', (request, socket) => {
    const path = (request.url ?? '').split('?', 1)[0] ?? ''
    if (!isStopping() && paths.includes(path)) return
    socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n', () => socket.destroy())
  })
}
