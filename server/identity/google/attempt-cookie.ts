import { EncryptJWT, jwtDecrypt } from 'jose'
import * as z from 'zod/mini'
import { safeNextPath } from '#lib/account/next-path.ts'
import { sourceLanguage } from '#lib/i18n/language.ts'
import type { Clock } from '../../process/clock.ts'
import type { Attempt } from './port.ts'

/** Long enough to find a password and a second factor. */
export const attemptSeconds = 10 * 60

const contents = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  next: z.string(),
  referralId: z.nullable(z.string()),
  again: z.optional(z.boolean()),
  language: z._default(z.string(), sourceLanguage),
})

/** What the browser keeps of a sign-in while it is at Google. */
export interface KeptAttempt extends Attempt {
  readonly next: string
  readonly referralId: string | null
  /** Of the page where it began. */
  readonly language: string
}

/** The cookie's value: encrypted and authenticated, valid for 10 minutes. */
export async function sealAttempt(key: Uint8Array, kept: KeptAttempt, clock: Clock): Promise<string> {
  const now = Math.floor(clock.now().getTime() / 1000)
  return new EncryptJWT({ ...kept })
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setExpirationTime(now + attemptSeconds)
    .encrypt(key)
}

/** @returns undefined for a cookie that is not ours, too old, or for another state */
export async function openAttempt(
  key: Uint8Array,
  sealed: string,
  state: string,
  clock: Clock,
): Promise<KeptAttempt | undefined> {
  try {
    const { payload } = await jwtDecrypt(sealed, key, {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
      currentDate: clock.now(),
      requiredClaims: ['exp'],
    })
    const kept = z.parse(contents, payload)
    return kept.state === state ? { ...kept, next: safeNextPath(kept.next, '') } : undefined
  } catch {
    return undefined
  }
}
