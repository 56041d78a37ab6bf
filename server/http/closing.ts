import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { stopTimes } from '../stop-times.ts'

/** How often connections that have become idle are looked for: Node closes those alone that were so at the beginning. */
const lookMs = 50

export interface ClosingTimes {
  /** For a request to come to its end, in milliseconds. */
  readonly asking: number
  /** For one that did to be answered, in milliseconds. */
  readonly answering: number
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/**
 * Follows the connections from before the first one, and gives what closes them in order: no new one is taken, what has been
 * asked is answered, and it ends. What is not asked to its end in time, or not answered, is cut off. Connections that were
 * upgraded are left to who has them.
 */
export function prepareClosing(app: FastifyInstance, times: ClosingTimes = stopTimes): () => Promise<void> {
  const { server } = app
  const connections = new Set<Socket>()
  const latest = new WeakMap<Socket, Exchange>()
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
    // Each time just after what has arrived was read: what is closed then is hardly ever just being sent something.
    const look = () => {
      server.closeIdleConnections()
      if (performance.now() - begun > times.asking) cutTheUnasked()
    }
    const looking = setInterval(() => setImmediate(look), lookMs)
    const timer = setTimeout(() => server.closeAllConnections(), times.answering)
    try {
      await new Promise(resolve => setImmediate(() => server.close(resolve)))
      await app.close()
    } finally {
      clearInterval(looking)
      clearTimeout(timer)
    }
  }
}
