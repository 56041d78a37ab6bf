import type { IncomingHttpHeaders } from 'node:http'

const proxyHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'cf-connecting-ip'] as const

/** Whether a proxy added its header. Behind one on this machine, every visitor's connection comes from this machine. */
export function cameThroughProxy(headers: IncomingHttpHeaders): boolean {
  return proxyHeaders.some(name => headers[name] !== undefined)
}
