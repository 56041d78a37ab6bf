import type { FastifyInstance } from 'fastify'

/** What a request that is under way has left, in milliseconds; nearly all take a hundredth of it. */
const graceMs = 3000
/** How often connections that have become idle are looked for: Node closes those alone that were so at the beginning. */
const lookMs = 50

/** Takes no new connection, answers what has been asked, and ends: what is not asked to its end by then is cut off. */
export async function closeInOrder(app: FastifyInstance): Promise<void> {
  const { server } = app
  // Each time just after what has arrived was read: what is closed then is hardly ever just being sent something.
  const looking = setInterval(() => setImmediate(() => server.closeIdleConnections()), lookMs)
  const timer = setTimeout(() => server.closeAllConnections(), graceMs)
  try {
    await new Promise(resolve => setImmediate(() => server.close(resolve)))
    await app.close()
  } finally {
    clearInterval(looking)
    clearTimeout(timer)
  }
}
