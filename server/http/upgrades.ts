import type { Server } from 'node:http'

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
