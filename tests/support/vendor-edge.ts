import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeCertificate } from './certificate.ts'

/** An edge server of the carrier as its client sees it: `wss://.../signal`, with the local exchange behind it. */
export interface VendorEdge {
  readonly port: number
  /** Requested hosts, one per connection. */
  readonly asked: readonly string[]
  /** Sets the server whose exchange answers. Call it before the first call is placed. */
  leadTo(serverUrl: string): void
  close(): void
}

/** @returns undefined when openssl, which creates the certificate, is not installed */
export async function openVendorEdge(): Promise<VendorEdge | undefined> {
  const directory = mkdtempSync(join(tmpdir(), 'farline-edge-'))
  const files = makeCertificate(directory)
  const pem = files && { cert: readFileSync(files.certificate), key: readFileSync(files.key) }
  rmSync(directory, { recursive: true })
  if (pem === undefined) return undefined
  const asked: string[] = []
  let behind = new URL('http://localhost')
  const server = createServer(pem).on('upgrade', ({ headers, url }, socket, head) => {
    asked.push(`${headers.host}${url}`)
    const exchange = connect(Number(behind.port), behind.hostname, () => {
      const lines = Object.entries({ ...headers, host: behind.host }).map(
        ([name, value]) => `${name}: ${value}`,
      )
      exchange.write(`GET /exchange${url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
      exchange.write(head)
      socket.pipe(exchange).pipe(socket)
    })
    for (const [one, other] of [
      [socket, exchange],
      [exchange, socket],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    leadTo: serverUrl => {
      behind = new URL(serverUrl)
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
