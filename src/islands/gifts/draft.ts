import { atom, type ReadableAtom } from 'nanostores'
import * as z from 'zod/mini'
import { giftPresetsUsd, longestGiftMessage, longestGiftName } from '#lib/money/gifts.ts'
import { giftDraftKey as key, localStore } from '#session/storage.ts'

/** What is written of a booklet so far. `amount` is a preset's figure, or what was typed. */
export interface Draft {
  readonly amount: string
  readonly fromName: string
  readonly toName: string
  readonly message: string
  readonly recipientEmail: string
}

/** As long as the link that confirms a new account's address. */
const keptMs = 24 * 3600 * 1000

const text = (max: number) => z.string().check(z.maxLength(max))
const keptSchema = z.object({
  atMs: z.number(),
  amount: text(10),
  fromName: text(4 * longestGiftName),
  toName: text(4 * longestGiftName),
  message: text(4 * longestGiftMessage),
  recipientEmail: text(254),
})

const emptyDraft: Draft = {
  amount: String(giftPresetsUsd[1]),
  fromName: '',
  toName: '',
  message: '',
  recipientEmail: '',
}

const $shown = atom<Draft>(emptyDraft)
export const $draft: ReadableAtom<Draft> = $shown

/** Kept for the browser: who signs up first comes back by a mailed link, in another tab. A logout removes it. */
export function openDraft(): void {
  $shown.set(readDraft() ?? emptyDraft)
}

export function changeDraft(part: Partial<Draft>): void {
  const draft = { ...$shown.get(), ...part }
  $shown.set(draft)
  localStore.write(key, JSON.stringify({ ...draft, atMs: Date.now() }))
}

/** After the payment: the next booklet begins empty. */
export function clearDraft(): void {
  localStore.remove(key)
  $shown.set(emptyDraft)
}

function readDraft(): Draft | null {
  try {
    const { atMs, ...draft } = z.parse(keptSchema, JSON.parse(localStore.read(key) ?? 'null'))
    return Math.abs(Date.now() - atMs) < keptMs ? draft : null
  } catch {
    return null // Missing, or written by other code.
  }
}
