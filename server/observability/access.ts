import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { isLoopback } from '../limits/origin.ts'

/** `hidden`: answered as an unknown address. */
export type MetricsAccess = 'granted' | 'refused' | 'hidden'

/**
 * Who may read the metrics: with a token configured, whoever sends it. Without one, only this machine: a loopback connection
 * without proxy headers, since behind a proxy on this machine all connections come from loopback.
 */
export function metricsAccess(
  { headers, raw }: Pick<FastifyRequest, 'headers' | 'raw'>,
  token: string | undefined,
): MetricsAccess {
  if (token !== undefined) {
    const [, shown] = /^Bearer (.+)$/i.exec(headers.authorization ?? '') ?? []
    return shown !== undefined && same(shown, token) ? 'granted' : 'refused'
  }
  const forwarded = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'].some(name => name in headers)
  return !forwarded && isLoopback(raw.socket.remoteAddress ?? '') ? 'granted' : 'hidden'
}

/** Constant time. */
function same(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}
