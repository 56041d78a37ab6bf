import * as oidc from 'openid-client'
import { failure, success } from '#lib/result.ts'
import type { Clock } from '../../clock.ts'
import type { Log } from '../../http/log.ts'
import type { Attempt, GoogleIdentity, GoogleRefusal, GoogleSignIn } from './port.ts'

export interface GoogleClientOptions {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Where the browser comes back to. */
  readonly redirectUri: string
  /** Plain http to the issuer: the development issuer alone. */
  readonly insecure: boolean
  readonly clock: Clock
  readonly log: Pick<Log, 'warn'>
  /** How requests reach the issuer, where not by its own address. */
  readonly fetch?: oidc.CustomFetch | undefined
  /** Of each request to the issuer. */
  readonly timeoutSeconds?: number
}

const defaultTimeoutSeconds = 10
/** An issuer that changes its addresses or keys says so long before. */
const metadataMs = 24 * 3600 * 1000
/** Of Google's discovery document; nothing weaker or symmetric is taken from anybody. */
const signatureAlgorithm = 'RS256'

/**
 * Sign-in through `openid-client`, which holds the rules of the protocol. The issuer is first asked when somebody signs in,
 * so that one that is down keeps nothing of ours from starting; what it says of itself is kept for a day.
 */
export function createGoogleClient(options: GoogleClientOptions): GoogleSignIn {
  const discover = rememberDiscovery(options)
  const configure = rememberConfiguration(options)
  const { redirectUri, log } = options

  return {
    addressFor: async ({ state, nonce, verifier }) => {
      const metadata = await discover()
      if (metadata === undefined) return failure('unreachable')
      const address = oidc.buildAuthorizationUrl(configure(metadata), {
        redirect_uri: redirectUri,
        scope: 'openid email',
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        prompt: 'select_account',
      })
      return success(address.href)
    },

    identify: async (query, attempt) => {
      const metadata = await discover()
      if (metadata === undefined) return failure('unreachable')
      try {
        return success(await redeem(configure(metadata), new URL(query, redirectUri), attempt))
      } catch (error) {
        const code = refusalOf(error)
        if (code !== 'denied') log.warn(wordsOf(error), 'signing in with Google failed')
        return failure(code)
      }
    },
  }
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
  const { iss, sub, email, email_verified: verified } = claims
  return {
    issuer: iss,
    subject: sub,
    email: typeof email === 'string' ? email.trim().toLowerCase() : null,
    emailVerified: verified === true,
  }
}

/** Asks once, also when many sign in at once; a failure is not remembered. */
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
      log.warn(wordsOf(error), 'Google did not say where to sign in')
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

/** One configuration with its memory of the issuer's keys, until the issuer or our clock's distance from the system's changes. */
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
    // Over TLS the signature is not needed to know who speaks, and costs one request a day: a token that
    // something in between has changed is refused all the same.
    oidc.enableNonRepudiationChecks(config)
    made = { metadata, skew, config }
    return config
  }
}

/** What an issuer answers that is busy or ill, whatever its status. */
const illErrors = ['server_error', 'temporarily_unavailable']
const silentCodes = [
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
]

function refusalOf(error: unknown): GoogleRefusal {
  if (error instanceof oidc.AuthorizationResponseError) {
    if (error.error === 'access_denied') return 'denied'
    return illErrors.includes(error.error) ? 'unreachable' : 'refused'
  }
  if (error instanceof oidc.ResponseBodyError)
    return illErrors.includes(error.error) ? 'unreachable' : 'refused'
  // Our own secret is not accepted.
  if (error instanceof oidc.WWWAuthenticateChallengeError) return 'refused'
  // `fetch` tells of a network that failed by a TypeError with its cause.
  if (error instanceof TypeError && error.cause !== undefined) return 'unreachable'
  if (error instanceof oidc.ClientError)
    return silentCodes.includes(error.code ?? '') ? 'unreachable' : 'refused'
  throw error
}

/** For the log. Causes are left out: they may hold the token, and with it an address. */
function wordsOf(error: unknown): { readonly code: string | undefined; readonly reason: string } {
  const { code, error: answer } = error as { code?: string; error?: string }
  return { code: answer ?? code, reason: error instanceof Error ? error.message : 'unknown' }
}
