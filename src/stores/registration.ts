import { atom } from 'nanostores'
import * as z from 'zod/mini'
import { register as registerEndpoint, resendVerification } from '#lib/api/auth.ts'
import { go } from './navigation.ts'
import { $referralId } from './referral.ts'
import { tabStore } from './storage.ts'
import { type ApiResult, request } from './transport.ts'

const sentMail = z.object({ email: z.string(), atMs: z.number() })
/** The last confirmation mail that this tab asked for. `atMs` is this browser's clock. */
export type SentMail = z.output<typeof sentMail>

const sentMailKey = 'confirmationMail'
/** How long until the mail may be asked for again. */
export const resendAfterMs = 30_000

/** What the last page, or this one, asked for; null when this tab asked for nothing. Written here alone. */
export const $sentMail = atom<SentMail | null>(null)

function remember(email: string): void {
  const mail = { email, atMs: Date.now() }
  tabStore.write(sentMailKey, JSON.stringify(mail))
  $sentMail.set(mail)
}

/** Takes up what the page before left in the tab's storage. */
export function recallSentMail(): void {
  try {
    $sentMail.set(z.parse(sentMail, JSON.parse(tabStore.read(sentMailKey) ?? 'null')))
  } catch {
    // Nothing was asked for, or something else wrote under this key.
  }
}

/** Whole seconds until the mail may be asked for again; 0 when it may now. */
export function secondsUntilResend(mail: SentMail | null, nowMs: number): number {
  if (mail === null) return 0
  const waitedMs = nowMs - mail.atMs
  return waitedMs < 0 ? 0 : Math.max(0, Math.ceil((resendAfterMs - waitedMs) / 1000))
}

/** Registers and goes on to `/check-email`, which shows the address. The answer never tells whether it is taken. */
export async function register(email: string, password: string): Promise<ApiResult<typeof registerEndpoint>> {
  const result = await request(registerEndpoint, {
    body: { email, password, referralId: $referralId.get() },
  })
  if (result.ok) {
    remember(email)
    go('/check-email')
  }
  return result
}

/** Asks for the confirmation mail again. */
export async function resend(email: string): Promise<ApiResult<typeof resendVerification>> {
  const result = await request(resendVerification, { body: { email } })
  if (result.ok) remember(email)
  return result
}
