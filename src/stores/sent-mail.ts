import { atom, type ReadableAtom } from 'nanostores'
import * as z from 'zod/mini'
import { tabStore } from './storage.ts'

const sentMail = z.object({ email: z.string(), atMs: z.number() })
/** A mail that this tab asked for. `atMs` is this browser's clock. */
export type SentMail = z.output<typeof sentMail>

/** How long until a mail may be asked for again. */
export const resendAfterMs = 30_000

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

/** @param key where it is kept in the tab's storage */
export function mailMemory(key: string): MailMemory {
  const $mail = atom<SentMail | null>(null)
  return {
    $mail,
    remember(email, atMs = Date.now()) {
      const mail = { email, atMs }
      tabStore.write(key, JSON.stringify(mail))
      $mail.set(mail)
    },
    recall() {
      try {
        $mail.set(z.parse(sentMail, JSON.parse(tabStore.read(key) ?? 'null')))
      } catch {
        // Nothing was asked for, or something else wrote under this key.
      }
    },
    forget() {
      tabStore.remove(key)
      $mail.set(null)
    },
  }
}
