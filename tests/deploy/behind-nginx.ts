import { request } from 'node:http'
import { type Nginx, type NginxOptions, startNginx } from '#support/nginx.ts'
import { type StandInServer, startStandIn } from '#support/stand-in-server.ts'
import { findFreePort } from '#support/test-server.ts'

/** Starts nginx and the servers behind it; `close` ends all of them, and whatever else is put into `open`. */
export function createFronts(site: string) {
  const open: { close(): Promise<void> }[] = []
  return {
    open,
    standIn: async (answer: Parameters<typeof startStandIn>[0]): Promise<StandInServer> => {
      const server = await startStandIn(answer)
      open.push(server)
      return server
    },
    nginx: async (
      servers: readonly string[],
      options: Partial<NginxOptions> = {},
    ): Promise<Nginx & { port: number }> => {
      const port = await findFreePort()
      const started = await startNginx({ port, site, servers, ...options })
      open.push(started)
      return { ...started, port }
    },
    /** An address where no server listens. */
    nobody: async () => `127.0.0.1:${await findFreePort()}`,
    close: async () => {
      for (const one of open.splice(0).reverse()) await one.close()
    },
  }
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/** As it goes over the wire: nothing is unpacked, followed or added. */
export function ask(
  port: number,
  path: string,
  headers: Record<string, string> = {},
  sent?: { method: string; body: string | Buffer },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, headers, method: sent?.method ?? 'GET' })
    outgoing.on('error', reject).on('response', response => {
      const parts: Buffer[] = []
      response
        .on('data', part => parts.push(part))
        .on('end', () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) })
        })
    })
    outgoing.end(sent?.body)
  })
}
