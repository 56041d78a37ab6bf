import { createServer, connect as dial, type Socket } from 'node:net'

/**
 * A network between browser and server that a test can break. It carries only TCP; media uses UDP and is impaired at
 * the server (`TestServer.loseSound`).
 */
export interface BadNetwork {
  /** The URL for the browser, instead of the server's. */
  readonly url: string
  /** Stops all traffic without closing anything, like an unplugged cable. New connections hang. */
  lose(): void
  /** Delivers the waiting data and reports connections closed meanwhile. */
  recover(): void
  /**
   * Carries nothing more over the connections of now, as routers do that have forgotten them: the ends of a WebSocket are not
   * told, those of other connections are. New connections work.
   */
  forget(): void
  /** Closes the voice client's signalling sockets. @returns the number that were open */
  dropSignalling(): number
  /**
   * Closes the signalling socket over which the server next sends `text`.
   * @param passOn whether the browser still receives that message
   * @returns resolves when it is closed
   */
  dropSignallingAt(text: string, passOn: boolean): Promise<void>
  close(): Promise<void>
}

interface Connection {
  readonly browser: Socket
  readonly server: Socket
  isSignalling: boolean
  isWebSocket: boolean
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
  const forgotten: Connection[] = []
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
    // A reset may overtake data sent before it, so wait.
    if (passOn) connection.browser.write(chunk, () => setTimeout(finish, 50))
    else finish()
  }

  function join(browser: Socket): void {
    const server = dial({ host: '127.0.0.1', port: Number(port), allowHalfOpen: true })
    const connection: Connection = { browser, server, isSignalling: false, isWebSocket: false }
    connections.add(connection)
    browser.once('data', chunk => {
      connection.isSignalling = chunk.includes('GET /exchange/signal')
      connection.isWebSocket = /^upgrade: websocket/im.test(chunk.toString('latin1'))
    })
    browser.on('data', chunk => server.write(chunk))
    server.on('data', chunk => fromServer(connection, chunk))
    couple(connection, browser, server)
    couple(connection, server, browser)
  }

  /** Closes the other end too, except while the network is lost. */
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
    forget() {
      for (const connection of connections) {
        if (connection.isWebSocket) {
          connections.delete(connection)
          forgotten.push(connection)
          connection.browser.pause()
          connection.server.pause()
        } else drop(connection)
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
      for (const connection of [...connections, ...forgotten]) drop(connection)
      for (const socket of [...waiting, ...held]) socket.destroy()
    },
  }
}
