import cookie from '@fastify/cookie'
import rateLimit from '@fastify/rate-limit'
import Fastify, { type FastifyInstance } from 'fastify'
import { mountAccountData } from './accounts/account-data-routes.ts'
import { mountGoogle } from './accounts/google/google-routes.ts'
import { mountLocalGoogle } from './accounts/google/local-google-routes.ts'
import { mountProfile } from './accounts/profile/profile-routes.ts'
import { mountAuth } from './accounts/sign-in/auth-routes.ts'
import { mountDevices } from './accounts/sign-in/devices-routes.ts'
import { mountOps, operatorOf } from './admin/ops-routes.ts'
import { mountCallerId } from './calls/caller-ids/caller-id-routes.ts'
import { mountHandset } from './calls/carrier/handset-routes.ts'
import { mountTwilioWebhooks } from './calls/carrier/twilio-webhook-routes.ts'
import { mountCalls } from './calls/history/calls-routes.ts'
import { mountRates } from './calls/placing/rates-routes.ts'
import { mountSpending } from './calls/placing/spending-routes.ts'
import { mountVoiceTokens } from './calls/placing/voice-token-routes.ts'
import type { Config } from './config.ts'
import { mountContacts } from './contacts/contacts-routes.ts'
import type { Services } from './context.ts'
import { mountLocalMail } from './dev/local-mail-routes.ts'
import { watchBuiltSite } from './http/built-site.ts'
import { answerUnreadable, handleErrors } from './http/errors.ts'
import { tooManyRequests } from './http/failure.ts'
import { distrustForwardedLoopback, nameGoneConnections } from './http/forwarded-loopback.ts'
import { createKeptPages } from './http/kept-pages.ts'
import { keepStandInsLocal } from './http/local-stand-ins.ts'
import type { Log } from './http/log.ts'
import { createMount, type MountTools } from './http/mount.ts'
import { mountHealth, mountMetrics, mountSite } from './http/operations-routes.ts'
import { refuseForeignOrigins } from './http/origin.ts'
import { mountPolicyReports } from './http/policy-report-routes.ts'
import { keepDocs, openPublicFiles } from './http/public-files-routes.ts'
import { createRateLimitStore } from './http/rate-limit.ts'
import { readdressPages } from './http/readdress-pages.ts'
import { mountSecurityContact } from './http/security-contact-routes.ts'
import { sendSecurityHeaders } from './http/security-headers.ts'
import { serveSite } from './http/static-site.ts'
import { warnOfUntrustedProxy } from './http/untrusted-proxy.ts'
import type { LocalIssuer } from './identity/google/local-issuer.ts'
import type { GoogleSignIn } from './identity/google/port.ts'
import { sessionIsOver } from './identity/sessions-over.ts'
import { inLanguage, languageOf, openLanguages } from './languages/languages.ts'
import { networkOf } from './limits/origin.ts'
import type { Observability } from './observability/open.ts'
import { watchRequests } from './observability/requests.ts'
import type { HostedCheckout } from './payment-provider/local/adapter.ts'
import { mountLocalCheckout } from './payments/local-checkout-routes.ts'
import { mountPaymentEvents, mountPayments } from './payments/payments-routes.ts'
import type { Redis } from './redis/redis.ts'
import { mountReferrals } from './referrals/referrals-routes.ts'
import { mountFeedback, mountSupport } from './support/support-routes.ts'
import type { Exchange } from './telephony/exchange/exchange.ts'
import type { Twilio } from './telephony/twilio/adapter.ts'
import { voiceClientHosts } from './telephony/twilio/browser-hosts.ts'

export interface Ports {
  readonly config: Pick<Config, 'production' | 'trustedProxies' | 'reviewUrl'> &
    Partial<Pick<Config, 'smtp' | 'twilio' | 'metricsToken' | 'exposeStandIns' | 'publicUrlFromPort'>>
  readonly services: Services
  readonly log: Log
  /** Undefined: no metrics and no traces. */
  readonly observability?: Omit<Observability, 'start' | 'stop'> | undefined
  /** Undefined: there is only this process. */
  readonly redis?: Redis | undefined
  /** Assigns numbers to handsets. Never served in production. */
  readonly handsets?: Pick<Exchange, 'claimNumber' | 'claims'> | undefined
  readonly twilio?: Pick<Twilio, 'receive'> | undefined
  /** Serves the local checkout's page. Never served in production. */
  readonly hostedCheckout?: HostedCheckout | undefined
  /** Undefined: sign-in with Google is not offered. */
  readonly google?: GoogleSignIn | undefined
  /** The local stand-in for Google. Never served in production. */
  readonly localIssuer?: LocalIssuer | undefined
  readonly siteDirectory: string
  readonly isStopping: () => boolean
}

/** 64 KB; our own requests are smaller (REL-36). */
const bodyLimit = 64 * 1024

/** The whole web application over its ports, not listening yet, so that tests can inject requests. */
export async function createApp(ports: Ports): Promise<FastifyInstance> {
  const { config, services } = ports
  openLanguages()
  const site = watchBuiltSite(ports.siteDirectory, services.clock.monotonicMs)
  const app = Fastify({
    rewriteUrl: request => site.rewrite(request.url ?? '/'),
    loggerInstance: ports.log,
    bodyLimit,
    // While closing, requests on open connections are still answered, each as the connection's last.
    return503OnClosing: false,
    // Slow headers time out after 10 s, slow bodies after 30 s, give or take the interval (REL-37).
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 1000 },
    trustProxy: (_address, hop) => hop < config.trustedProxies,
    requestTimeout: 30_000,
    genReqId: () => services.random.uuid(),
    onProtoPoisoning: 'error',
    frameworkErrors: (_error, _request, reply) => answerUnreadable(reply),
    routerOptions: { maxParamLength: 200 },
  })
  handleErrors(app)
  ports.observability?.tracing?.watch(app)
  if (ports.observability !== undefined)
    watchRequests(app, ports.observability.observe, ports.services.payments.provider)
  warnOfUntrustedProxy(app, config.trustedProxies, ports.log)
  nameGoneConnections(app)
  if (config.production) distrustForwardedLoopback(app)
  if (config.publicUrlFromPort === true) readdressPages(app, site, services.publicUrl)
  const keptPages = createKeptPages(site, ports.isStopping)
  keptPages.answer(app)
  const voiceHosts = config.twilio === undefined ? [] : voiceClientHosts
  await sendSecurityHeaders(app, { publicUrl: services.publicUrl, site, voiceHosts })
  refuseForeignOrigins(app, services)
  if (!config.production && config.exposeStandIns !== true)
    keepStandInsLocal(app, services.publicUrl, ports.log)
  await app.register(cookie)
  await app.register(rateLimit, {
    global: false,
    keyGenerator: ({ ip }) => networkOf(ip),
    store: createRateLimitStore({ clock: services.clock, key: services.keys.origin, redis: ports.redis }),
    errorResponseBuilder: (request, { ttl }) => inLanguage(languageOf(request), () => tooManyRequests(ttl)),
  })
  app.addHook('onSend', async (request, reply) => {
    if (request.url.startsWith('/api/'))
      reply.headers({ 'x-request-id': request.id, 'cache-control': 'no-store' })
    if (ports.isStopping()) reply.header('connection', 'close')
  })
  keepDocs(app)
  openPublicFiles(app)

  const tools: MountTools = {
    accessKey: services.keys.access,
    clock: services.clock,
    sessionIsOver: id => sessionIsOver(services.db, id),
    operatorOf: request => operatorOf(services, request),
  }
  const mount = createMount(app, tools)
  mountHealth(app, {
    db: services.db,
    clock: services.clock,
    isStopping: ports.isStopping,
    redis: ports.redis,
    probeKey: services.keys.probe,
  })
  if (ports.observability !== undefined) mountMetrics(app, ports.observability.metrics, config.metricsToken)
  mountAuth(mount, services)
  mountVoiceTokens(mount, services)
  mountAccountData(app, mount, tools, services)
  mountRates(mount, services)
  mountCalls(mount, services)
  mountCallerId(mount, services)
  mountContacts(mount, services)
  mountDevices(mount, services)
  mountFeedback(mount, services)
  mountGoogle(app, services, ports.google)
  mountOps(mount, services, ports.observability)
  mountPayments(mount, services)
  mountPaymentEvents(app, services)
  if (ports.twilio !== undefined) mountTwilioWebhooks(app, services, ports.twilio)
  mountPolicyReports(app, services)
  mountProfile(mount, services)
  mountReferrals(mount, services)
  mountSecurityContact(app, services)
  mountSpending(mount, services)
  mountSupport(mount, services)
  mountSite(mount, {
    localInbox: !config.production && config.smtp === undefined,
    reviewUrl: config.reviewUrl,
    google: ports.google !== undefined,
  })
  if (!config.production) mountLocalMail(app, services)
  if (!config.production && ports.handsets !== undefined) mountHandset(mount, ports.handsets)
  if (!config.production && ports.hostedCheckout !== undefined)
    mountLocalCheckout(mount, ports.hostedCheckout)
  if (!config.production && ports.localIssuer !== undefined) mountLocalGoogle(app, mount, ports.localIssuer)
  keptPages.keep(app)
  await serveSite(app, { directory: ports.siteDirectory, site, local: !config.production })
  return app
}
