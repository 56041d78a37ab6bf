import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import type { BuiltSite } from './built-site.ts'

export interface SecurityPolicy {
  readonly publicUrl: string
  readonly site: BuiltSite
  /** Sources for the voice client, on the one page that opens it. */
  readonly voiceHosts: readonly string[]
}

/** Endpoint for browsers' policy reports. Short, because it is in the headers of every page. */
export const policyReportPath = '/api/csp'

/** The page that opens the voice client; other pages do not need the carrier's hosts. */
const dialler = /^\/call(?:\.html)?(?:[?#]|$)/

/** REL-45 to REL-47. Inline code needs the build's hash of that page, so nothing injected runs. */
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
        'require-trusted-types-for': ["'script'"],
        'report-uri': [policyReportPath],
      },
    },
    strictTransportSecurity: secure ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    // Useless in browsers that run this page, or covered by `frame-ancestors`. Headers fill the first flight of
    // packets.
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
