import { isIP } from 'node:net'
import { connect } from 'node:tls'

const patienceMs = 10_000
/** A certificate is renewed weeks before its end. */
const freshMs = 3600_000

/**
 * When the certificate runs out that visitors of the public address are shown. Asked once an hour, in the background; one
 * that is void already is read like any other.
 * @returns Unix seconds; undefined where the address has none, or did not answer yet
 */
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

/** @returns Unix seconds; undefined where nobody answered, or with no certificate */
export function readCertificate(host: string, port: number): Promise<number | undefined> {
  return new Promise(resolve => {
    const options = { host, port, timeout: patienceMs, ...(isIP(host) === 0 ? { servername: host } : {}) }
    // Nothing is sent: the certificate is looked at, also where it is not to be trusted any more.
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
