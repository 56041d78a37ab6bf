import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP proxy to a server with an adjustable delay. */
export interface SlowLine {
  readonly port: number
  /** Delay in milliseconds of data sent from now on, in both directions; `Infinity`: it never arrives. */
  delayMs: number
  open(): number
  close(): Promise<void>
}

export async function startSlowLine(to: { host: string; port: number }): Promise<SlowLine> {
  const sockets = new Set<Socket>()
  const line = { delayMs: 0 }
  const pass = (from: Socket, into: Socket) => {
    let last: Promise<unknown> = Promise.resolve()
    from.on('data', chunk => {
      const { delayMs } = line
      if (delayMs === Number.POSITIVE_INFINITY) return
      const arrives = new Promise(resolve => setTimeout(resolve, delayMs))
      last = Promise.all([last, arrives]).then(() => into.write(chunk))
    })
    from.on('close', () => void last.then(() => into.end()))
    from.on('error', () => {})
  }
  const server = createServer(near => {
    const far = connect(to.port, to.host)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.setNoDelay().once('close', () => sockets.delete(socket))
    }
    pass(near, far)
    pass(far, near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return Object.assign(line, {
    port: (server.address() as AddressInfo).port,
    open: () => sockets.size / 2,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  })
}
