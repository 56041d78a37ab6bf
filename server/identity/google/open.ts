import type { CustomFetch } from 'openid-client'
import { googleCallbackPath } from '#lib/account/google-sign-in.ts'
import type { Log } from '../../http/log.ts'
import type { Clock } from '../../process/clock.ts'
import type { Random } from '../../process/random.ts'
import { createGoogleClient } from './client.ts'
import { createLocalIssuer, type LocalIssuer } from './local-issuer.ts'
import type { GoogleSignIn } from './port.ts'

export interface GoogleSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

export interface OpenedGoogle {
  /** Undefined: not offered. */
  readonly google: GoogleSignIn | undefined
  /** Set if the stand-in is used: we must serve its endpoints. */
  readonly localIssuer: LocalIssuer | undefined
}

/** The stand-in's page, and the prefix of its endpoints. */
export const localIssuerPath = '/dev/google'

/** Selects the issuer: Google if configured; otherwise the stand-in outside production, and none in production. */
export function openGoogle(
  { google, production }: { readonly google: GoogleSettings | undefined; readonly production: boolean },
  tools: {
    readonly clock: Clock
    readonly random: Random
    readonly log: Pick<Log, 'warn'>
    readonly publicUrl: string
    /** Where this process listens: it may not be able to reach its own public address. */
    readonly ownAddress: string
  },
): OpenedGoogle {
  const { clock, random, log, publicUrl, ownAddress } = tools
  const redirectUri = `${publicUrl}${googleCallbackPath}`
  if (google !== undefined) {
    const insecure = !production && google.issuer.startsWith('http:')
    const client = createGoogleClient({ ...google, redirectUri, insecure, clock, log })
    return { google: client, localIssuer: undefined }
  }
  if (production) return { google: undefined, localIssuer: undefined }
  const localIssuer = createLocalIssuer({
    issuer: `${publicUrl}${localIssuerPath}`,
    redirectUri,
    clock,
    random,
  })
  const fetchOwn: CustomFetch = (url, options) =>
    fetch(url.replace(publicUrl, ownAddress), options as RequestInit)
  const { issuer, clientId, clientSecret } = localIssuer
  const client = createGoogleClient({
    ...{ issuer, clientId, clientSecret, redirectUri, clock, log },
    insecure: publicUrl.startsWith('http:'),
    fetch: fetchOwn,
  })
  return { google: client, localIssuer }
}
