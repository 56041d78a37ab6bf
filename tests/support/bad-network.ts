import { createServer, connect as dial, type Socket } from 'node:net'

/**
 * A network between browser and server that a test breaks. Only what goes over TCP passes here; the sound
 * goes over UDP and is broken at the server (`TestServer.loseSound`).
 */
export interface BadNetwork {
  /** Where the browser goes instead of to the server. */
  readonly url: string
  /** Nothing passes any more and nothing is closed, as when a cable is pulled. New connections hang. */
  lose(): void
  /** What waited arrives, and so does the news of what was closed meanwhile. */
  recover(): void
  /** Breaks the telephone's signalling sockets. @returns how many were open */
  dropSignalling(): number
  /**
   * Breaks the signalling socket over which the server next says `text`.
   * @param passOn whether the browser still gets to read it
   * @returns resolves when it is broken
   */
  dropSignallingAt(text: string, passOn: boolean): Promise<void>
  close(): Promise<void>
}

interface Connection {
  readonly browser: Socket
  readonly server: Socket
  isSignalling: boolean
}

interface Trap {
  readonly text: string
  readonly passOn: boolean
  readonly sprung: () => void
}

/** @param serverUrl of a server on this machine */
export async function openBadNetwork(serverUrl: string): Promise<BadNetwork> {
  const { port } = new URL(serverUrl)
  const connections = new Set<Connection>()
  const waiting = new Set<Socket>()
  let lost = false
  let trap: Trap | undefined

  function drop({ browser, server }: Connection): void {
    browser.resetAndDestroy()
    server.resetAndDestroy()
  }

  function fromServer(connection: Connection, chunk: Buffer): void {
    if (trap === undefined || !connection.isSignalling || !chunk.includes(trap.text)) {
      connection.browser.write(chunk)
      return
    }
    const { passOn, sprung } = trap
    trap = undefined
    const finish = () => {
      drop(connection)
      sprung()
    }
    // A reset may overtake what was sent before it.
    if (passOn) connection.browser.write(chunk, () => setTimeout(finish, 50))
    else finish()
  }

  function join(browser: Socket): void {
    const server = dial({ host: '127.0.0.1', port: Number(port), allowHalfOpen: true })
    const connection: Connection = { browser, server, isSignalling: false }
    connections.add(connection)
    browser.once('data', chunk => {
      connection.isSignalling = chunk.includes('GET /exchange/signal')
    })
    browser.on('data', chunk => server.write(chunk))
    server.on('data', chunk => fromServer(connection, chunk))
    couple(connection, browser, server)
    couple(connection, server, browser)
  }

  /** One end's goodbye is passed on to the other, but never over a network that is gone. */
  function couple(connection: Connection, from: Socket, to: Socket): void {
    from.on('end', () => to.end())
    from.on('error', () => undefined)
    from.on('close', broken => {
      connections.delete(connection)
      if (!broken) to.end()
      else if (lost) waiting.add(to)
      else to.destroy()
    })
  }

  const relay = createServer({ allowHalfOpen: true, pauseOnConnect: true }, browser => {
    browser.on('error', () => undefined)
    if (lost) held.push(browser)
    else {
      join(browser)
      browser.resume()
    }
  })
  const held: Socket[] = []
  await new Promise<void>(resolve => relay.listen(0, '127.0.0.1', resolve))
  const address = relay.address()
  if (address === null || typeof address === 'string') throw new Error('the relay has no port')

  return {
    url: `http://localhost:${address.port}`,
    lose() {
      lost = true
      for (const { browser, server } of connections) {
        browser.pause()
        server.pause()
      }
    },
    recover() {
      lost = false
      for (const socket of waiting) socket.destroy()
      waiting.clear()
      for (const { browser, server } of connections) {
        browser.resume()
        server.resume()
      }
      for (const browser of held.splice(0)) {
        if (browser.destroyed) continue
        join(browser)
        browser.resume()
      }
    },
    dropSignalling() {
      const signalling = [...connections].filter(({ isSignalling }) => isSignalling)
      for (const connection of signalling) drop(connection)
      return signalling.length
    },
    dropSignallingAt: (text, passOn) =>
      new Promise(sprung => {
        trap = { text, passOn, sprung }
      }),
    close: async () => {
      relay.close()
      for (const connection of connections) drop(connection)
      for (const socket of [...waiting, ...held]) socket.destroy()
    },
  }
}
