import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished, vi } from 'vitest'

/** The parts of a browser that Node lacks, as small as they can be and still behave. */
export class MemoryStorage implements Storage {
  private readonly entries = new Map<string, string>()

  get length(): number {
    return this.entries.size
  }
  clear(): void {
    this.entries.clear()
  }
  getItem(key: string): string | null {
    return this.entries.get(key) ?? null
  }
  key(index: number): string | null {
    return [...this.entries.keys()][index] ?? null
  }
  removeItem(key: string): void {
    this.entries.delete(key)
  }
  setItem(key: string, value: string): void {
    this.entries.set(key, value)
  }
}

/** As with cookies and site data blocked: merely naming the storage throws. */
export function blockStorage(): void {
  for (const name of ['localStorage', 'sessionStorage']) {
    Object.defineProperty(globalThis, name, {
      configurable: true,
      get() {
        throw new DOMException('storage is blocked', 'SecurityError')
      },
    })
  }
}

/** Provides empty storages, and a window that records where the page navigates. */
export function freshBrowser(): { readonly visited: string[]; readonly window: EventTarget } {
  const visited: string[] = []
  const location = {
    href: 'http://localhost/call',
    assign: (path: string) => visited.push(path),
    replace: (path: string) => visited.push(path),
  }
  const window = Object.assign(new EventTarget(), { location })
  for (const name of ['localStorage', 'sessionStorage']) {
    Object.defineProperty(globalThis, name, {
      configurable: true,
      writable: true,
      value: new MemoryStorage(),
    })
  }
  vi.stubGlobal('window', window)
  vi.stubGlobal('isSecureContext', true)
  vi.stubGlobal('RTCPeerConnection', class {})
  return { visited, window }
}

/** What another tab's write looks like from here. */
export function storageEvent(key: string | null): Event {
  return Object.assign(new Event('storage'), { key })
}

export interface TestServer {
  /** `METHOD path` of every request so far. */
  readonly requests: string[]
  /** Before the test is over. */
  close(): Promise<void>
}

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void

/**
 * A real HTTP server until the test is over; `fetch` of a bare path goes to it, as in a page that it served. Globals are then
 * what they were.
 */
export async function serve(handle: Handler): Promise<TestServer> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => handle(request, response, Buffer.concat(chunks).toString()))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const realFetch = fetch
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) =>
    realFetch(new URL(path, `http://127.0.0.1:${port}`), init),
  )
  const close = async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
  onTestFinished(async () => {
    await close()
    vi.unstubAllGlobals()
  })
  return { requests, close }
}

export function answer(response: ServerResponse, status: number, json?: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(json === undefined ? undefined : JSON.stringify(json))
}

export function refuse(response: ServerResponse, status: number, code: string): void {
  answer(response, status, { error: { code, message: `Refused: ${code}.` } })
}

let serial = 0

/**
 * An unsigned token of three parts, unlike any before, that expires after so many seconds (or has). By the
 * true clock, as a server dates it, whatever the page believes the time to be.
 * @param user the owner; another user each time by default
 */
export function tokenFor(seconds: number, user?: string): string {
  serial += 1
  const nowMs = performance.timeOrigin + performance.now()
  const payload = { sub: user ?? `user-${serial}`, exp: Math.floor(nowMs / 1000) + seconds, jti: `${serial}` }
  return ['{}', JSON.stringify(payload), 'signature'].map(part => btoa(part)).join('.')
}

/** The stores as a page that just loaded has them: state of their own, storage shared with other pages. */
export async function openPage() {
  vi.resetModules()
  const [session, api, user] = await Promise.all([
    import('#session/session.ts'),
    import('#session/api.ts'),
    import('#session/user.ts'),
  ])
  return { ...session, ...api, ...user }
}
