import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import {
  type GoogleProblem,
  googleCallbackPath,
  googleStartPath,
  longestReferralId,
} from '#lib/rules/google-sign-in.ts'
import { safeNextPath } from '#lib/rules/next-path.ts'
import { deviceName } from '../identity/device-name.ts'
import {
  attemptSeconds,
  type KeptAttempt,
  openAttempt,
  sealAttempt,
} from '../identity/google/attempt-cookie.ts'
import type { GoogleRefusal, GoogleSignIn } from '../identity/google/port.ts'
import type { Services } from '../services/context.ts'
import { signInWithGoogle } from '../services/google-sign-in.ts'
import { refreshCookie } from './auth.ts'

/** From one address, of either step. */
const perMinute = 60
/** Sign-ins that one browser may have begun at once, each in a tab of its own; more begin anew. */
const mostAttempts = 5

const problems: Readonly<Record<GoogleRefusal, GoogleProblem>> = {
  denied: 'google_denied',
  refused: 'google_failed',
  unreachable: 'google_unreachable',
}

/**
 * The two addresses that a browser is sent to when somebody signs in with Google. Both are pages to whoever comes there, so
 * all that fails is told on `/login`, and nothing by a raw answer.
 * @param google undefined: not offered here
 */
export function mountGoogle(
  app: FastifyInstance,
  services: Services,
  google: GoogleSignIn | undefined,
): void {
  const { clock, random, keys, publicUrl } = services
  const refresh = refreshCookie(publicUrl)
  const attempts = attemptCookies(publicUrl)
  const randomText = () => Buffer.from(random.bytes(32)).toString('base64url')

  const options: RouteShorthandOptions = {
    config: { rateLimit: { max: perMinute, timeWindow: 60_000 } },
    errorHandler: (error, request, reply) => {
      const tooMany = (error as { status?: number }).status === 429
      if (!tooMany) request.log.error({ err: error }, 'signing in with Google failed')
      return sendBack(reply, tooMany ? 'google_busy' : 'internal')
    },
  }

  app.get(googleStartPath, options, async (request, reply) => {
    const query = queryOf(request)
    const next = safeNextPath(query.get('next') ?? nextOfPage(request, publicUrl), '')
    if (google === undefined) return sendBack(reply, 'google_unavailable', next)
    const attempt: KeptAttempt = {
      state: randomText(),
      nonce: randomText(),
      verifier: randomText(),
      next,
      referralId: referralIn(query),
    }
    const address = await google.addressFor(attempt)
    if (!address.ok) return sendBack(reply, problems[address.code], next)
    const begun = attempts.namesIn(request)
    if (begun.length >= mostAttempts) for (const name of begun) reply.clearCookie(name, attempts.options)
    const sealed = await sealAttempt(keys.google, attempt, clock)
    reply.setCookie(attempts.nameFor(attempt.state), sealed, { ...attempts.options, maxAge: attemptSeconds })
    return reply.redirect(address.value)
  })

  app.get(googleCallbackPath, options, async (request, reply) => {
    if (google === undefined) return sendBack(reply, 'google_unavailable')
    const state = queryOf(request).get('state') ?? ''
    const name = attempts.nameFor(state)
    const sealed = request.cookies[name]
    if (sealed === undefined) return sendBack(reply, 'google_expired')
    // It works once, whatever comes of it.
    reply.clearCookie(name, attempts.options)
    const attempt = await openAttempt(keys.google, sealed, state, clock)
    if (attempt === undefined) return sendBack(reply, 'google_expired')
    const { next, referralId } = attempt
    const identity = await google.identify(new URL(request.url, publicUrl).search, attempt)
    if (!identity.ok) return sendBack(reply, problems[identity.code], next)
    const device = deviceName(request.headers['user-agent'])
    const signedIn = await signInWithGoogle(services, identity.value, { referralId, device })
    if (!signedIn.ok) return sendBack(reply, signedIn.code, next)
    const { refresh: issued, news } = signedIn.value
    reply.setCookie(refresh.name, issued.token, { ...refresh.options, expires: issued.expiresAt })
    return toLogin(reply, { signed_in: 'google', told: news, next })
  })
}

function queryOf(request: FastifyRequest): URLSearchParams {
  return new URL(request.url, 'http://localhost').searchParams
}

/** The `?next=` of our own page on which the link was pressed: before the page's script ran, the link does not have it. */
function nextOfPage(request: FastifyRequest, publicUrl: string): string | null {
  const page = URL.parse(request.headers.referer ?? '')
  return page?.origin === new URL(publicUrl).origin ? page.searchParams.get('next') : null
}

function referralIn(query: URLSearchParams): string | null {
  const value = query.get('referralId') ?? ''
  return value.length <= longestReferralId && /^\P{Cc}+$/u.test(value) ? value : null
}

function sendBack(reply: FastifyReply, problem: GoogleProblem, next = ''): FastifyReply {
  return toLogin(reply, { problem, next })
}

/** That page takes the new session up, or says what went wrong, and leads on to `next`. */
function toLogin(reply: FastifyReply, parts: Readonly<Record<string, string | null>>): FastifyReply {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parts))
    if (value !== null && value !== '') query.set(name, value)
  return reply.redirect(`/login?${query}`)
}

/**
 * One cookie for each sign-in that was begun: a second press, or a second tab, spoils nothing. Google's page leads back here
 * from another site, with which `Strict` ones would stay behind.
 */
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
