import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

/** What the doctor says its address is. From a range for documentation (RFC 5737), so that it is nobody's. */
const claimedAddress = '192.0.2.1'
const proofHeader = 'x-farline-probe'

/** How a request of the doctor arrived at the server. */
export interface ProbedProxies {
  /** Addresses in `X-Forwarded-For` that proxies added: the right value of TRUSTED_PROXIES. */
  readonly added: number
  /** Whether what the client itself claimed arrived, too. */
  readonly keepsClaims: boolean
}

/** Headers with which the doctor asks. @param key `Keys.probe`: proxies of ours are nobody else's business */
export function probeHeaders(key: Uint8Array): Record<string, string> {
  return { 'x-forwarded-for': claimedAddress, [proofHeader]: proofOf(key) }
}

/** @returns undefined for a request that is not the doctor's */
export function probeProxies(
  { headers }: Pick<FastifyRequest, 'headers'>,
  key: Uint8Array,
): ProbedProxies | undefined {
  const shown = Buffer.from([headers[proofHeader] ?? []].flat().join())
  const proof = Buffer.from(proofOf(key))
  if (shown.length !== proof.length || !timingSafeEqual(shown, proof)) return undefined
  const hops = [headers['x-forwarded-for'] ?? []]
    .flat()
    .join(',')
    .split(',')
    .map(hop => hop.trim())
    .filter(Boolean)
  const claimed = hops.indexOf(claimedAddress)
  return { added: hops.length - 1 - claimed, keepsClaims: claimed >= 0 }
}

function proofOf(key: Uint8Array): string {
  return createHmac('sha256', key).update('which proxies add to X-Forwarded-For').digest('base64url')
}
