import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { hourMs } from '#lib/time.ts'

const connectTimeoutMs = 10_000
/** Certificates are renewed weeks before they expire. */
const freshMs = hourMs

/** Read hourly at most, in the background. @returns Unix seconds; undefined without TLS, or before the first answer */
export function followCertificate(publicUrl: string, monotonicMs: () => number): () => number | undefined {
  const { protocol, hostname, port } = new URL(publicUrl)
  let endsAt: number | undefined
  let askedAtMs = Number.NEGATIVE_INFINITY
  return () => {
    if (protocol !== 'https:') return undefined
    if (monotonicMs() - askedAtMs >= freshMs) {
      askedAtMs = monotonicMs()
      void readCertificate(hostname, Number(port || 443)).then(found => {
        endsAt = found ?? endsAt
      })
    }
    return endsAt
  }
}

/** @returns Unix seconds; undefined without an answer or a certificate */
export function readCertificate(host: string, port: number): Promise<number | undefined> {
  return new Promise(resolve => {
    const options = {
      host,
      port,
      timeout: connectTimeoutMs,
      ...(isIP(host) === 0 ? { servername: host } : {}),
    }
    // Nothing is sent; the certificate is read even if it is not trusted.
    const socket = connect({ ...options, rejectUnauthorized: false }, () => {
      const { valid_to: validTo } = socket.getPeerCertificate()
      socket.destroy()
      const endsAt = Date.parse(validTo ?? '')
      resolve(Number.isNaN(endsAt) ? undefined : endsAt / 1000)
    })
    for (const event of ['error', 'timeout', 'close'] as const) {
      socket.on(event, () => {
        socket.destroy()
        resolve(undefined)
      })
    }
    socket.unref()
  })
}
