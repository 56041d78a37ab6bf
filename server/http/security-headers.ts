import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import type { BuiltSite } from './built-site.ts'

export interface SecurityPolicy {
  readonly publicUrl: string
  readonly site: BuiltSite
  /** Sources to which the voice client connects, on the one page that opens it. */
  readonly voiceHosts: readonly string[]
}

/** The page that opens the voice client: every other one would carry the vendor's hosts for nothing. */
const dialler = /^\/call(?:\.html)?(?:[?#]|$)/

/**
 * The headers of reliability.md 'Web' on every answer. Inline code is allowed by the hashes that the
 * build took of that very page, so nothing injected into a page runs.
 */
export async function sendSecurityHeaders(app: FastifyInstance, policy: SecurityPolicy): Promise<void> {
  const { publicUrl, site } = policy
  const { host, protocol } = new URL(publicUrl)
  const secure = protocol === 'https:'
  const own = `${secure ? 'wss' : 'ws'}://${host}`
  const withVoice = [own, ...policy.voiceHosts].join(' ')
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'", ({ url = '/' }) => site.hashes('scripts', url)],
        'style-src': ["'self'", ({ url = '/' }) => site.hashes('styles', url)],
        'img-src': ["'self'", 'data:'],
        'font-src': ["'self'"],
        'connect-src': ["'self'", ({ url = '/' }) => (dialler.test(url) ? withVoice : own)],
        'media-src': ["'self'", 'mediastream:', 'blob:'],
        'manifest-src': ["'self'"],
        'worker-src': ["'self'"],
        'frame-ancestors': ["'none'"],
        'base-uri': ["'none'"],
        'form-action': ["'self'"],
      },
    },
    strictTransportSecurity: secure ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    // Asked for by nothing that can run this page, or said by the policy already (`frame-ancestors`): every
    // header takes room in the first flight of packets.
    dnsPrefetchControl: false,
    xFrameOptions: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    xPoweredBy: false,
  })
  app.addHook('onSend', async (_request, reply) => {
    reply.header(
      'permissions-policy',
      'microphone=(self), screen-wake-lock=(self), camera=(), geolocation=()',
    )
  })
}
