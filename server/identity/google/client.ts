import * as oidc from 'openid-client'
import { failure, success } from '#lib/result.ts'
import { dayMs } from '#lib/time.ts'
import type { Log } from '../../http/log.ts'
import type { Clock } from '../../process/clock.ts'
import type { Attempt, GoogleIdentity, GoogleRejection, GoogleSignIn } from './port.ts'

export interface GoogleClientOptions {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUri: string
  /** Plain http to the issuer; development issuer only. */
  readonly insecure: boolean
  readonly clock: Clock
  readonly log: Pick<Log, 'warn'>
  readonly fetch?: oidc.CustomFetch | undefined
  readonly timeoutSeconds?: number
}

const defaultTimeoutSeconds = 10
/** Discovery cache; an issuer announces changes of addresses or keys long before. */
const metadataMs = dayMs
/** From Google's discovery document; weaker or symmetric algorithms are rejected. */
const signatureAlgorithm = 'RS256'

/** Discovery runs at the first sign-in, so that the server starts without the issuer, and is cached for a day. */
export function createGoogleClient(options: GoogleClientOptions): GoogleSignIn {
  const discover = rememberDiscovery(options)
  const configure = rememberConfiguration(options)
  const { redirectUri, log } = options

  return {
    addressFor: async ({ state, nonce, verifier, again = false }) => {
      const metadata = await discover()
      if (metadata === undefined) return failure('unreachable')
      const address = oidc.buildAuthorizationUrl(configure(metadata), {
        redirect_uri: redirectUri,
        scope: 'openid email',
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...promptFor(again, metadata),
        claims: authTimeClaim,
      })
      return success(address.href)
    },

    identify: async (query, attempt) => {
      const metadata = await discover()
      if (metadata === undefined) return failure('unreachable')
      try {
        return success(await redeem(configure(metadata), new URL(query, redirectUri), attempt))
      } catch (error) {
        const code = rejectionOf(error)
        if (code !== 'denied') log.warn(errorDetails(error), 'signing in with Google failed')
        return failure(code)
      }
    },
  }
}

/** Google reports the login time only if asked this way and if the project has "Session age claims" on. */
const authTimeClaim = JSON.stringify({ id_token: { auth_time: { essential: true } } })

/** Google does not support `prompt=login` (its discovery document omits it) and ignores `max_age`. */
function promptFor(again: boolean, metadata: oidc.ServerMetadata): Record<string, string> {
  if (!again) return { prompt: 'select_account' }
  const known = metadata['prompt_values_supported']
  const login = Array.isArray(known) && known.includes('login')
  return { prompt: login ? 'login' : 'select_account', max_age: '0' }
}

async function redeem(config: oidc.Configuration, address: URL, attempt: Attempt): Promise<GoogleIdentity> {
  const tokens = await oidc.authorizationCodeGrant(config, address, {
    expectedState: attempt.state,
    expectedNonce: attempt.nonce,
    pkceCodeVerifier: attempt.verifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (claims === undefined) throw new Error('openid-client gave no claims of the token that it asked for')
  const { iss, sub, email, email_verified: verified, auth_time: authTime, hd } = claims
  return {
    issuer: iss,
    subject: sub,
    email: typeof email === 'string' ? email.trim().toLowerCase() : null,
    emailVerified: verified === true,
    hostedDomain: typeof hd === 'string' ? hd.toLowerCase() : null,
    authenticatedAt: typeof authTime === 'number' ? new Date(authTime * 1000) : null,
  }
}

/** Shares one request among concurrent sign-ins; failures are not cached. */
function rememberDiscovery(options: GoogleClientOptions): () => Promise<oidc.ServerMetadata | undefined> {
  const { clock, log, issuer, clientId, insecure, fetch, timeoutSeconds = defaultTimeoutSeconds } = options
  let asked: Promise<oidc.ServerMetadata | undefined> | undefined
  let askedAtMs = 0
  const ask = async () => {
    try {
      const found = await oidc.discovery(new URL(issuer), clientId, undefined, undefined, {
        timeout: timeoutSeconds,
        execute: insecure ? [oidc.allowInsecureRequests] : [],
        ...(fetch === undefined ? {} : { [oidc.customFetch]: fetch }),
      })
      return found.serverMetadata()
    } catch (error) {
      asked = undefined
      log.warn(errorDetails(error), 'could not read the sign-in addresses of Google')
      return undefined
    }
  }
  return () => {
    const nowMs = clock.monotonicMs()
    if (asked === undefined || nowMs - askedAtMs > metadataMs) {
      askedAtMs = nowMs
      asked = ask()
    }
    return asked
  }
}

/** One configuration, with its key cache, until the issuer or our clock offset changes. */
function rememberConfiguration(
  options: GoogleClientOptions,
): (metadata: oidc.ServerMetadata) => oidc.Configuration {
  const { clock, clientId, clientSecret, insecure, fetch, timeoutSeconds = defaultTimeoutSeconds } = options
  let made: { metadata: oidc.ServerMetadata; skew: number; config: oidc.Configuration } | undefined
  return metadata => {
    const skew = Math.round((clock.now().getTime() - Date.now()) / 1000)
    if (made?.metadata === metadata && made.skew === skew) return made.config
    const config = new oidc.Configuration(metadata, clientId, {
      client_secret: clientSecret,
      id_token_signed_response_alg: signatureAlgorithm,
      [oidc.clockSkew]: skew,
    })
    config.timeout = timeoutSeconds
    if (fetch !== undefined) config[oidc.customFetch] = fetch
    if (insecure) oidc.allowInsecureRequests(config)
    // TLS authenticates the issuer. Checking signatures also rejects altered tokens, for one request a day.
    oidc.enableNonRepudiationChecks(config)
    made = { metadata, skew, config }
    return config
  }
}

/** Errors of an overloaded or failing issuer, whatever the status. */
const illErrors = ['server_error', 'temporarily_unavailable']
const silentCodes = [
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
]

function rejectionOf(error: unknown): GoogleRejection {
  if (error instanceof oidc.AuthorizationResponseError) {
    if (error.error === 'access_denied') return 'denied'
    return illErrors.includes(error.error) ? 'unreachable' : 'refused'
  }
  if (error instanceof oidc.ResponseBodyError)
    return illErrors.includes(error.error) ? 'unreachable' : 'refused'
  // Our client secret was rejected.
  if (error instanceof oidc.WWWAuthenticateChallengeError) return 'refused'
  // `fetch` reports a network failure as a TypeError with a cause.
  if (error instanceof TypeError && error.cause !== undefined) return 'unreachable'
  if (error instanceof oidc.ClientError)
    return silentCodes.includes(error.code ?? '') ? 'unreachable' : 'refused'
  throw error
}

/** For the log. Causes are left out: they may hold the token, and with it an address. */
function errorDetails(error: unknown): { readonly code: string | undefined; readonly reason: string } {
  const { code, error: answer } = error as { code?: string; error?: string }
  return { code: answer ?? code, reason: error instanceof Error ? error.message : 'unknown' }
}
