import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../context.ts'

const yearSeconds = 365 * 24 * 3600
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

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
