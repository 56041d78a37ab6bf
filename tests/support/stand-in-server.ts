import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server behind nginx that records requests and answers as a test decides. */
export interface StandInServer {
  /** `127.0.0.1:port`. Stays the same after `close`, when connections are rejected. */
  readonly address: string
  readonly asked: readonly IncomingMessage[]
  close(): Promise<void>
}

/** @param answer called for each request, once its body has arrived */
export async function startStandIn(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<StandInServer> {
  const asked: IncomingMessage[] = []
  const server = createServer((request, response) => {
    asked.push(request)
    request.resume().on('end', () => answer(request, response))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: async () => {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
