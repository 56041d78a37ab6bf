import { atom, type ReadableAtom } from 'nanostores'
import * as z from 'zod/mini'
import { mailGapSeconds } from '#lib/rules/account.ts'
import { tabStore } from './storage.ts'

const sentMail = z.object({ email: z.string(), atMs: z.number() })
/** A mail that this tab asked for. `atMs` is this browser's clock. */
export type SentMail = z.output<typeof sentMail>

/** How long until a mail may be asked for again: as long as the server sends none, and a little for the way. */
export const resendAfterMs = (mailGapSeconds + 2) * 1000

/** After it was asked for again. No promise: whether the address has an account that wants one, nobody is told. */
export const askedAgainText =
  'You have asked for it again. It can take a minute; look in the spam folder too.'

/** Whole seconds until the mail may be asked for again; 0 when it may now. */
export function secondsUntilResend(mail: SentMail | null, nowMs: number): number {
  if (mail === null) return 0
  const waitedMs = nowMs - mail.atMs
  return waitedMs < 0 ? 0 : Math.max(0, Math.ceil((resendAfterMs - waitedMs) / 1000))
}

/** The last mail of one kind that this tab asked for; it outlives the page, not the tab. */
export interface MailMemory {
  /** Null when this tab asked for none. */
  readonly $mail: ReadableAtom<SentMail | null>
  /** Notes that a mail was asked for, just now unless told otherwise. */
  remember(email: string, atMs?: number): void
  /** Takes up what a page before, or this one before a reload, left in the tab's storage. */
  recall(): void
  forget(): void
}

/**
 * @param key where it is kept in the tab's storage
 * @param lifeMs how long after it was asked for it is of use; for ever unless told otherwise
 */
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
        // Nothing was asked for, or something else wrote under this key.
      }
    },
    forget,
  }
}
