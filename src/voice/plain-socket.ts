/**
 * Runs `load` while `wss://<host>/` stands for `ws://<host>/`. The voice client writes the scheme into its
 * addresses itself and takes the socket class once, when its module is evaluated; on a page without TLS
 * our own exchange can be reached no other way. Only this host is touched, and the class is put back.
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
