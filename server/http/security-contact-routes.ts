import type { FastifyInstance } from 'fastify'
import { company } from '#lib/company.ts'
import { dayMs } from '#lib/time.ts'
import type { Clock } from '../process/clock.ts'

/** RFC 9116 recommends less than a year. Counted from the day of the request, so that it never expires. */
const validDays = 180

/** `/.well-known/security.txt` (RFC 9116): where to report a weakness. SECURITY.md says what happens then. */
export function mountSecurityContact(app: FastifyInstance, tools: { clock: Clock; publicUrl: string }): void {
  const path = '/.well-known/security.txt'
  app.get(path, async (_request, reply) => {
    const today = Math.floor(tools.clock.now().getTime() / dayMs)
    return reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=86400')
      .send(
        [
          `Contact: mailto:${company.supportEmail}`,
          `Expires: ${new Date((today + validDays) * dayMs).toISOString()}`,
          'Preferred-Languages: en',
          `Canonical: ${tools.publicUrl}${path}`,
          '',
        ].join('\n'),
      )
  })
}
