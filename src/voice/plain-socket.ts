/**
 * Runs `load` with `wss://<host>/` redirected to `ws://<host>/`. The voice client hard-codes the scheme and captures
 * the socket class when its module is evaluated, so on a page without TLS our exchange is otherwise unreachable.
 * Affects this host only, and restores the class.
 */
export async function withPlainSockets<Loaded>(host: string, load: () => Promise<Loaded>): Promise<Loaded> {
  const Original = globalThis.WebSocket
  const secure = `wss://${host}/`
  class PlainWebSocket extends Original {
    constructor(url: string | URL, protocols?: string | string[]) {
      const address = String(url)
      super(address.startsWith(secure) ? `ws://${address.slice('wss://'.length)}` : address, protocols)
    }
  }
  globalThis.WebSocket = PlainWebSocket
  try {
    return await load()
  } finally {
    globalThis.WebSocket = Original
  }
}
