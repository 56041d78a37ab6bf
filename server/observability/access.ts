import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { isLoopback } from '../services/calls/origin.ts'

/** `hidden`: as if there was nothing at that address. */
export type MetricsAccess = 'granted' | 'refused' | 'hidden'

/**
 * Who may read the metrics. With a token, whoever shows it. Without one this machine alone: a connection from loopback that
 * no proxy has made for somebody else, since behind one on this machine everybody comes from loopback.
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

/** Takes as long whatever the two have in common. */
function same(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}
