import type { Server } from 'node:http'

/**
 * Closes connections that ask for a WebSocket where nobody takes one: Node leaves them open for ever, and
 * an open one keeps the server from stopping. Once stopping, no new one is taken at all.
 */
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
