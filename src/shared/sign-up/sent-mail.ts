import { atom, type ReadableAtom } from 'nanostores'
import * as z from 'zod/mini'
import { mailGapSeconds } from '#lib/account/account.ts'
import { tabStore } from '#session/storage.ts'

const sentMail = z.object({ email: z.string(), atMs: z.number() })
/** An e-mail that this tab requested. `atMs`: this browser's clock. */
export type SentMail = z.output<typeof sentMail>

/** Min time between two requests: the server's gap plus a margin for the transfer. */
export const resendAfterMs = (mailGapSeconds + 2) * 1000

/** Whole seconds until the e-mail can be requested again; 0 if it can now. */
export function secondsUntilResend(mail: SentMail | null, nowMs: number): number {
  if (mail === null) return 0
  const waitedMs = nowMs - mail.atMs
  return waitedMs < 0 ? 0 : Math.max(0, Math.ceil((resendAfterMs - waitedMs) / 1000))
}

/** The last e-mail of one kind that this tab requested; kept across pages of the tab. */
export interface MailMemory {
  readonly $mail: ReadableAtom<SentMail | null>
  /** @param atMs when it was requested; defaults to now */
  remember(email: string, atMs?: number): void
  /** Loads what a previous page, or this one before a reload, left in the tab's storage. */
  recall(): void
  forget(): void
}

/** @param key in the tab's storage @param lifeMs how long it is of use after the request; no limit by default */
export function mailMemory(key: string, lifeMs = Number.POSITIVE_INFINITY): MailMemory {
  const $mail = atom<SentMail | null>(null)
  let ending: ReturnType<typeof setTimeout> | undefined
  const forget = () => {
    clearTimeout(ending)
    tabStore.remove(key)
    $mail.set(null)
  }
  const show = (mail: SentMail) => {
    clearTimeout(ending)
    const leftMs = mail.atMs + lifeMs - Date.now()
    if (leftMs <= 0) return forget()
    if (leftMs < Number.POSITIVE_INFINITY) ending = setTimeout(forget, Math.min(leftMs, lifeMs))
    $mail.set(mail)
  }
  return {
    $mail,
    remember(email, atMs = Date.now()) {
      const mail = { email, atMs }
      tabStore.write(key, JSON.stringify(mail))
      show(mail)
    },
    recall() {
      try {
        show(z.parse(sentMail, JSON.parse(tabStore.read(key) ?? 'null')))
      } catch {
        // Missing, or written by other code.
      }
    },
    forget,
  }
}
