import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { googleCallbackPath } from '#lib/account/google-sign-in.ts'
import type { AuthorizationRequest } from '#lib/api/local-google.ts'
import { createLog } from '#server/http/log.ts'
import { createGoogleClient } from '#server/identity/google/client.ts'
import { createLocalIssuer, type LocalIssuer } from '#server/identity/google/local-issuer.ts'
import { systemRandom } from '#server/process/random.ts'
import { openApp } from '#support/app.ts'
import { createWeb, type Web } from '#support/web.ts'

/** What goes over the wire between our server and the issuer, for a test to bend. */
export interface Wire {
  /** Answers instead of the issuer; undefined lets it answer. */
  answer:
    | ((path: string, signal: AbortSignal | undefined) => Response | Promise<Response> | undefined)
    | undefined
  /** Changes what it answered. */
  change: ((path: string, body: Record<string, unknown>) => Record<string, unknown>) | undefined
  /** Paths that were asked for, oldest first. */
  readonly asked: string[]
}

export interface Chosen {
  readonly email: string
  readonly verified?: boolean
  readonly subject?: string
  /** As of the issuer; null: it does not vouch for the address. */
  readonly hostedDomain?: string | null
  readonly referralId?: string
  readonly next?: string
  /** As of the issuer; null: it does not say. */
  readonly loggedInSecondsAgo?: number | null
}

/** A browser on its way through a sign-in: what the address says where it was sent, and the cookies that it holds. */
export interface Visit {
  readonly address: URL
  readonly cookies: Record<string, string>
}

export interface GoogleWorld extends Web {
  readonly issuer: LocalIssuer
  readonly wire: Wire
  /** Presses the button. */
  begin(options?: {
    next?: string
    referralId?: string
    again?: string
    language?: string
    cookies?: Record<string, string>
  }): Promise<Visit>
  /** Chooses an account at the issuer; null presses cancel. */
  choose(visit: Visit, account: Chosen | null, change?: Partial<AuthorizationRequest>): URL
  /** Comes back. */
  comeBack(address: URL, cookies: Record<string, string>): Promise<Visit>
  /** All three. */
  signIn(account: Chosen | null): Promise<Visit>
  /** What `me` says to the session that a visit ended with; undefined without one. */
  me(visit: Visit): Promise<Record<string, unknown> | undefined>
}

/** The web application with the real client, against the development issuer behind a real port. */
export async function createGoogleWorld({
  timeoutSeconds = 10,
}: {
  timeoutSeconds?: number
} = {}): Promise<GoogleWorld> {
  const web = await createWeb()
  const { clock, services } = web
  const port = await freePort()
  const wire: Wire = { answer: undefined, change: undefined, asked: [] }
  const origin = `http://127.0.0.1:${port}`
  const redirectUri = `${services.publicUrl}${googleCallbackPath}`
  const localIssuer = createLocalIssuer({
    issuer: `${origin}/dev/google`,
    redirectUri,
    clock,
    random: systemRandom,
  })
  const { issuer, clientId, clientSecret } = localIssuer
  const log = createLog('silent')
  const google = createGoogleClient({
    ...{ issuer, clientId, clientSecret, redirectUri, clock, log },
    insecure: true,
    timeoutSeconds,
    fetch: async (url, options) => {
      const path = new URL(url).pathname.replace('/dev/google', '')
      wire.asked.push(path)
      const instead = wire.answer?.(path, options.signal)
      if (instead !== undefined) return instead
      const answer = await fetch(url, options as RequestInit)
      if (wire.change === undefined) return answer
      return Response.json(wire.change(path, (await answer.json()) as Record<string, unknown>), {
        status: answer.status,
      })
    },
  })
  const app: FastifyInstance = await openApp({
    services,
    log,
    google,
    localIssuer,
  })
  await app.listen({ port, host: '127.0.0.1' })

  const visit = async (url: string, cookies: Record<string, string>): Promise<Visit> => {
    const cookie = Object.entries(cookies)
      .map(([name, value]) => `${name}=${value}`)
      .join('; ')
    const reply = await app.inject({ url, headers: cookie === '' ? {} : { cookie } })
    if (reply.statusCode !== 302) throw new Error(`answered ${reply.statusCode}: ${reply.body}`)
    const kept = { ...cookies }
    for (const { name, value } of reply.cookies) {
      if (value === '') delete kept[name]
      else kept[name] = value
    }
    return { address: new URL(String(reply.headers.location), services.publicUrl), cookies: kept }
  }

  const begin: GoogleWorld['begin'] = ({ cookies = {}, ...query } = {}) =>
    visit(`/api/auth/google/start?${new URLSearchParams(query)}`, cookies)
  const choose: GoogleWorld['choose'] = ({ address }, account, change = {}) => {
    const request = { ...Object.fromEntries(address.searchParams), ...change } as AuthorizationRequest
    const { email = '', verified = true, subject, loggedInSecondsAgo, hostedDomain } = account ?? {}
    const chosen = {
      email,
      emailVerified: verified,
      ...definedOf({ subject, loggedInSecondsAgo, hostedDomain }),
    }
    const sent = localIssuer.authorize(request, account === null ? null : chosen)
    if (!sent.ok) throw new Error(sent.code)
    return new URL(sent.value)
  }
  const comeBack: GoogleWorld['comeBack'] = (address, cookies) =>
    visit(`${address.pathname}${address.search}`, cookies)

  return {
    ...web,
    app,
    issuer: localIssuer,
    wire,
    begin,
    choose,
    comeBack,
    signIn: async account => {
      const { next, referralId } = account ?? {}
      const begun = await begin({
        ...(next === undefined ? {} : { next }),
        ...(referralId === undefined ? {} : { referralId }),
      })
      return comeBack(choose(begun, account), begun.cookies)
    },
    me: async ({ cookies }) => {
      if (cookies.refresh === undefined) return undefined
      const cookie = `refresh=${cookies.refresh}`
      const fresh = await app.inject({ method: 'POST', url: '/api/auth/refresh-token', headers: { cookie } })
      const authorization = `Bearer ${fresh.json().token}`
      return (await app.inject({ url: '/api/protected/me', headers: { authorization } })).json()
    },
    close: async () => {
      await app.close()
      await web.close()
    },
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  return port
}

/** Without what is undefined. */
function definedOf<Value extends object>(
  value: Value,
): { [K in keyof Value]?: Exclude<Value[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as never
}
