import { createHash, timingSafeEqual } from 'node:crypto'
import { exportJWK, type GenerateKeyPairResult, generateKeyPair, type JWK, SignJWT } from 'jose'
import type { AuthorizationRequest, ChosenAccount } from '#lib/api/local-google.ts'
import { failure, type Result, success } from '#lib/result.ts'
import { minuteMs } from '#lib/time.ts'
import type { Clock } from '../../process/clock.ts'
import type { Random } from '../../process/random.ts'

export interface LocalIssuerOptions {
  readonly issuer: string
  /** The only allowed redirect address. */
  readonly redirectUri: string
  readonly clock: Clock
  readonly random: Random
}

/** An answer of the token endpoint (RFC 6749, 5). */
export interface TokenAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** Stands in for Google outside production: OpenID Connect's code flow for one client, with codes in memory. */
export interface LocalIssuer {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  metadata(): Readonly<Record<string, unknown>>
  keys(): Promise<{ readonly keys: readonly JWK[] }>
  authorize(request: AuthorizationRequest, account: ChosenAccount): Result<string, 'unknown_client'>
  /** Exchanges a code for a signed token, once, within a minute. */
  exchange(form: URLSearchParams): Promise<TokenAnswer>
}

interface Grant {
  readonly request: AuthorizationRequest
  readonly account: NonNullable<ChosenAccount>
  readonly endsAtMs: number
}

const codeMs = minuteMs
const tokenSeconds = 3600
const algorithm = 'RS256'
const keyId = 'local'

export function createLocalIssuer({ issuer, redirectUri, clock, random }: LocalIssuerOptions): LocalIssuer {
  const clientId = 'farline-local'
  const clientSecret = randomText(random)
  const grants = new Map<string, Grant>()
  // Created on first use: it is slow, and most runs need none.
  let pair: Promise<GenerateKeyPairResult> | undefined
  const keyPair = () => {
    pair ??= generateKeyPair(algorithm)
    return pair
  }

  const sign = async ({ request, account }: Grant): Promise<string> => {
    const now = Math.floor(clock.now().getTime() / 1000)
    return new SignJWT({
      email: account.email,
      email_verified: account.emailVerified,
      nonce: request.nonce,
      ...hostedDomainOf(account),
      ...authTimeOf(account, now),
    })
      .setProtectedHeader({ alg: algorithm, kid: keyId })
      .setIssuer(issuer)
      .setAudience(clientId)
      .setSubject(account.subject ?? subjectOf(account.email))
      .setIssuedAt(now)
      .setExpirationTime(now + tokenSeconds)
      .sign((await keyPair()).privateKey)
  }

  return {
    issuer,
    clientId,
    clientSecret,
    metadata: () => ({
      issuer,
      authorization_endpoint: issuer,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [algorithm],
      code_challenge_methods_supported: ['S256'],
      prompt_values_supported: ['select_account', 'login'],
      token_endpoint_auth_methods_supported: ['client_secret_post'],
      authorization_response_iss_parameter_supported: true,
    }),
    keys: async () => ({
      keys: [{ ...(await exportJWK((await keyPair()).publicKey)), kid: keyId, alg: algorithm, use: 'sig' }],
    }),

    authorize: (request, account) => {
      if (request.client_id !== clientId || request.redirect_uri !== redirectUri)
        return failure('unknown_client')
      const address = new URL(redirectUri)
      address.searchParams.set('state', request.state)
      address.searchParams.set('iss', issuer)
      if (account === null) address.searchParams.set('error', 'access_denied')
      else {
        const code = randomText(random)
        grants.set(code, { request, account, endsAtMs: clock.monotonicMs() + codeMs })
        address.searchParams.set('code', code)
      }
      return success(address.href)
    },

    exchange: async form => {
      const code = form.get('code') ?? ''
      const grant = grants.get(code)
      grants.delete(code)
      if (form.get('client_id') !== clientId || !isSame(form.get('client_secret') ?? '', clientSecret))
        return refused('invalid_client', 401)
      if (form.get('grant_type') !== 'authorization_code') return refused('unsupported_grant_type')
      if (grant === undefined || grant.endsAtMs < clock.monotonicMs()) return refused('invalid_grant')
      const isProven = digestOf(form.get('code_verifier') ?? '') === grant.request.code_challenge
      if (!isProven || form.get('redirect_uri') !== redirectUri) return refused('invalid_grant')
      return {
        status: 200,
        body: {
          access_token: randomText(random),
          token_type: 'Bearer',
          expires_in: tokenSeconds,
          scope: grant.request.scope,
          id_token: await sign(grant),
        },
      }
    },
  }
}

function hostedDomainOf({ email, hostedDomain }: NonNullable<ChosenAccount>) {
  const hd = hostedDomain === undefined ? email.slice(email.lastIndexOf('@') + 1) : hostedDomain
  return hd === null ? {} : { hd }
}

/** Choosing an account counts as logging in now, unless the choice says otherwise. */
function authTimeOf({ loggedInSecondsAgo = 0 }: NonNullable<ChosenAccount>, now: number) {
  return loggedInSecondsAgo === null ? {} : { auth_time: now - loggedInSecondsAgo }
}

function refused(error: string, status = 400): TokenAnswer {
  return { status, body: { error } }
}

function randomText(random: Random): string {
  return Buffer.from(random.bytes(32)).toString('base64url')
}

function digestOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

/** Derived from the address, so it is the same after a restart. */
function subjectOf(email: string): string {
  return BigInt(`0x${createHash('sha256').update(email).digest('hex').slice(0, 17)}`).toString()
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [given, expected].map(text => createHash('sha256').update(text).digest())
  return one !== undefined && other !== undefined && timingSafeEqual(one, other)
}
