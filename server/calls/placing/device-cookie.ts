import type { FastifyReply, FastifyRequest } from 'fastify'
import { uuidPattern } from '#lib/uuid.ts'
import type { Services } from '../../context.ts'

const yearSeconds = 365 * 24 * 3600

/** A random browser id in a cookie, for the limits on free calls; set at the first admission of a call. */
export function deviceCookie({
  publicUrl,
  random,
}: Pick<Services, 'publicUrl' | 'random'>): (request: FastifyRequest, reply: FastifyReply) => string {
  const secure = publicUrl.startsWith('https:')
  const name = secure ? '__Host-device' : 'device'
  return (request, reply) => {
    const known = request.cookies[name]
    if (known !== undefined && uuidPattern.test(known)) return known
    const device = random.uuid()
    reply.setCookie(name, device, {
      httpOnly: true,
      sameSite: 'strict',
      path: '/',
      secure,
      maxAge: yearSeconds,
    })
    return device
  }
}
