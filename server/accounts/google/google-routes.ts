import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import {
  type GoogleProblem,
  googleCallbackPath,
  googleStartPath,
  longestReferralId,
} from '#lib/account/google-sign-in.ts'
import { safeNextPath } from '#lib/account/next-path.ts'
import { sourceLanguage } from '#lib/i18n/language.ts'
import { localPath } from '#lib/i18n/path.ts'
import { minuteMs } from '#lib/time.ts'
import type { Services } from '../../context.ts'
import { deviceName } from '../../identity/device-name.ts'
import {
  attemptSeconds,
  type KeptAttempt,
  openAttempt,
  sealAttempt,
} from '../../identity/google/attempt-cookie.ts'
import type { GoogleRejection, GoogleSignIn } from '../../identity/google/port.ts'
import { inLanguage } from '../../languages/languages.ts'
import { reportSecurityEvent } from '../../observability/security-events.ts'
import { knownDeviceCookie } from '../sign-in/known-device-cookie.ts'
import { sessionCookies } from '../sign-in/session-cookies.ts'
import { stepCookie } from '../sign-in/step-cookie.ts'
import { provedAt, signInWithGoogle } from './google-sign-in.ts'
import { pendingGoogleLink } from './pending-link.ts'

const perMinute = 60
/** Concurrent sign-ins of one browser, one per tab; older ones have to start again. */
const maxAttempts = 5

const problems: Readonly<Record<GoogleRejection, GoogleProblem>> = {
  denied: 'google_denied',
  refused: 'google_failed',
  unreachable: 'google_unreachable',
}

/** Reported as suspicious. Cancelling, or not reaching Google, is harmless. */
const suspicious: ReadonlySet<GoogleProblem> = new Set([
  'google_expired',
  'google_failed',
  'google_unverified',
])

/** Browsers visit both addresses as pages, so failures are shown on `/login`. @param google undefined: not offered */
export function mountGoogle(
  app: FastifyInstance,
  services: Services,
  google: GoogleSignIn | undefined,
): void {
  const { clock, random, keys, publicUrl } = services
  const cookies = sessionCookies(publicUrl)
  const knownDevices = knownDeviceCookie(services)
  const steps = stepCookie(publicUrl)
  const attempts = attemptCookies(publicUrl)
  const pendingLink = pendingGoogleLink(services)
  const randomText = () => Buffer.from(random.bytes(32)).toString('base64url')

  const options: RouteShorthandOptions = {
    config: { rateLimit: { max: perMinute, timeWindow: minuteMs } },
    errorHandler: (error, request, reply) => {
      const tooMany = (error as { status?: number }).status === 429
      if (!tooMany) request.log.error({ err: error }, 'signing in with Google failed')
      return sendBack(reply, tooMany ? 'google_busy' : 'internal', begunAt(request, publicUrl))
    },
  }

  app.get(googleStartPath, options, async (request, reply) => {
    const query = queryOf(request)
    const begun = begunAt(request, publicUrl)
    if (google === undefined) return sendBack(reply, 'google_unavailable', begun)
    const attempt: KeptAttempt = {
      ...begun,
      state: randomText(),
      nonce: randomText(),
      verifier: randomText(),
      referralId: referralIn(query),
      again: query.get('again') === '1',
    }
    const address = await google.addressFor(attempt)
    if (!address.ok) return sendBack(reply, problems[address.code], begun)
    const others = attempts.namesIn(request)
    if (others.length >= maxAttempts) for (const name of others) reply.clearCookie(name, attempts.options)
    const sealed = await sealAttempt(keys.google, attempt, clock)
    reply.setCookie(attempts.nameFor(attempt.state), sealed, { ...attempts.options, maxAge: attemptSeconds })
    return reply.redirect(address.value)
  })

  app.get(googleCallbackPath, options, async (request, reply) => {
    const lost = begunAt(request, publicUrl)
    if (google === undefined) return sendBack(reply, 'google_unavailable', lost)
    const state = queryOf(request).get('state') ?? ''
    const name = attempts.nameFor(state)
    const refuse = (problem: GoogleProblem, begun: Begun, email?: string | null) => {
      if (suspicious.has(problem)) {
        const subjects = { email: email ?? undefined, address: request.ip }
        reportSecurityEvent(services, 'sign_in_failed', subjects, { by: 'google' })
      }
      return sendBack(reply, problem, begun)
    }
    const sealed = request.cookies[name]
    if (sealed === undefined) return refuse('google_expired', lost)
    // Each attempt works once, whatever the outcome.
    reply.clearCookie(name, attempts.options)
    const attempt = await openAttempt(keys.google, sealed, state, clock)
    if (attempt === undefined) return refuse('google_expired', lost)
    const { referralId, language } = attempt
    const identity = await google.identify(new URL(request.url, publicUrl).search, attempt)
    if (!identity.ok) return refuse(problems[identity.code], attempt)
    const device = deviceName(request.headers['user-agent'])
    const signedIn = await inLanguage(language, () =>
      signInWithGoogle(services, identity.value, { referralId, device }),
    )
    if (!signedIn.ok && signedIn.code === 'second_factor_required') {
      steps.set(reply, signedIn.step)
      return toLogin(reply, attempt, { second_factor: 'google' })
    }
    if (!signedIn.ok) {
      const { email } = identity.value
      if (signedIn.code === 'google_connect' && email !== null)
        await pendingLink.keep(reply, { ...identity.value, email })
      return refuse(signedIn.code, attempt, email)
    }
    const { refresh: issued, notice } = signedIn.value
    cookies.set(reply, issued)
    await knownDevices.remember(request, reply, issued.userId)
    const unproven = attempt.again === true && provedAt(services, identity.value) === null
    return toLogin(reply, attempt, { signed_in: 'google', told: unproven ? 'not_proved' : notice })
  })
}

function queryOf(request: FastifyRequest): URLSearchParams {
  return new URL(request.url, 'http://localhost').searchParams
}

/** What a sign-in keeps of the page where it began. */
type Begun = Pick<KeptAttempt, 'language' | 'next'>

function begunAt(request: FastifyRequest, publicUrl: string): Begun {
  const query = queryOf(request)
  return {
    language: query.get('language') ?? sourceLanguage,
    next: safeNextPath(query.get('next') ?? nextOfPage(request, publicUrl), ''),
  }
}

/** Falls back to the page's own `?next=`: until the page's script has run, the link lacks it. */
function nextOfPage(request: FastifyRequest, publicUrl: string): string | null {
  const page = URL.parse(request.headers.referer ?? '')
  return page?.origin === new URL(publicUrl).origin ? page.searchParams.get('next') : null
}

function referralIn(query: URLSearchParams): string | null {
  const value = query.get('referralId') ?? ''
  return value.length <= longestReferralId && /^\P{Cc}+$/u.test(value) ? value : null
}

function sendBack(reply: FastifyReply, problem: GoogleProblem, begun: Begun): FastifyReply {
  return toLogin(reply, begun, { problem })
}

/** That page, in the language of the one before, starts the new session, or shows the problem, and goes on to `next`. */
function toLogin(
  reply: FastifyReply,
  { language, next }: Begun,
  parts: Readonly<Record<string, string | null>>,
): FastifyReply {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...parts, next }))
    if (value !== null && value !== '') query.set(name, value)
  return reply.redirect(inLanguage(language, () => localPath(`/login?${query}`)))
}

/** One cookie per sign-in, for parallel tabs. `Lax`: Google leads back here from another site. */
function attemptCookies(publicUrl: string) {
  const secure = publicUrl.startsWith('https:')
  const prefix = secure ? '__Host-google-' : 'google-'
  return {
    options: { httpOnly: true, sameSite: 'lax', path: '/', secure },
    nameFor: (state: string) => `${prefix}${state.replaceAll(/[^\w-]/g, '').slice(0, 8)}`,
    namesIn: (request: FastifyRequest) =>
      Object.keys(request.cookies).filter(name => name.startsWith(prefix)),
  } as const
}
