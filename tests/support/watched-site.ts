import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

/**
 * A test server's site for a browser that reports no errors of its pages to its driver: each page reports its own, by a
 * script in front of all others.
 */
export interface WatchedSite {
  readonly url: string
  /** Uncaught errors and violations of the page's policy, of all pages so far. */
  readonly faults: readonly string[]
  /** From now on, or until `false`, each connection is closed at once. */
  lose(lost: boolean): void
  /** Holds back the answers at these paths. */
  hold(paths: RegExp): HeldAnswers
  close(): void
}

export interface HeldAnswers {
  /** Resolves when the browser asks for the first. */
  readonly asked: Promise<void>
  /** Resolves when the browser no longer waits for one. */
  readonly dropped: Promise<void>
  release(): void
}

const script = '/watch.js'
const report = '/watched'

/** Runs in the browser. */
function watch(address: string): void {
  const send = (fault: string) => navigator.sendBeacon(address, `${location.pathname}: ${fault}`)
  addEventListener('error', ({ message, filename, lineno }) => send(`${message} (${filename}:${lineno})`))
  // WebKit rejects what a page was still importing when it was left.
  let left = false
  addEventListener('beforeunload', () => {
    left = true
  })
  addEventListener('unhandledrejection', ({ reason }) => left || send(`unhandled: ${reason}`))
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    send(`policy violation: ${violatedDirective} ${blockedURI}`),
  )
}

/** @param serverUrl of a server on this machine */
export async function openWatchedSite(serverUrl: string): Promise<WatchedSite> {
  const { hostname, port } = new URL(serverUrl)
  const faults: string[] = []
  const sockets = new Set<Socket>()
  let lost = false
  let holdBack: ((path: string, answered: ServerResponse) => Promise<void>) | undefined

  /** The same request, answered uncompressed. */
  function pass({ method, url, headers }: IncomingMessage) {
    return request({
      hostname,
      port,
      method,
      path: url,
      headers: { ...headers, 'accept-encoding': 'identity' },
    })
  }

  const site = createServer(async (asked, answered) => {
    await holdBack?.(asked.url ?? '', answered)
    if (asked.url === script) {
      answered.setHeader('content-type', 'text/javascript')
      answered.end(`(${watch})(${JSON.stringify(report)})`)
      return
    }
    if (asked.url === report) {
      faults.push((await asked.toArray()).join(''))
      answered.end()
      return
    }
    const passed = pass(asked).on('error', () => asked.destroy())
    asked.pipe(passed)
    passed.on('response', async from => {
      const { 'content-length': length, ...headers } = from.headers
      const isPage = headers['content-type']?.startsWith('text/html') === true
      answered.writeHead(from.statusCode ?? 502, isPage || length === undefined ? headers : from.headers)
      if (!isPage) from.pipe(answered)
      else
        answered.end(
          (await from.toArray()).join('').replace('<head>', `<head><script src="${script}"></script>`),
        )
    })
  })
  // Sockets of events and of signalling.
  site.on('upgrade', (asked, browser: Socket, head) => {
    const server = connect(Number(port), hostname)
    const lines = asked.rawHeaders.map((text, i) => (i % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('')
    server.write(`${asked.method} ${asked.url} HTTP/1.1\r\n${lines}\r\n`)
    server.write(head)
    server.pipe(browser).pipe(server)
    for (const [one, other] of [
      [browser, server],
      [server, browser],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
  })
  site.on('connection', (socket: Socket) => {
    if (lost) socket.destroy()
    sockets.add(socket.on('close', () => sockets.delete(socket)))
  })
  await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve))

  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://localhost:${(site.address() as AddressInfo).port}`,
    faults,
    lose(nowLost) {
      lost = nowLost
      if (lost) drop()
    },
    hold(paths) {
      const asked = Promise.withResolvers<void>()
      const dropped = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      holdBack = async (path, answered) => {
        if (!paths.test(path)) return
        asked.resolve()
        answered.once('close', dropped.resolve)
        await released.promise
      }
      return { asked: asked.promise, dropped: dropped.promise, release: released.resolve }
    },
    close() {
      site.close()
      drop()
    },
  }
}
