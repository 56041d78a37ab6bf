import { atom, type ReadableAtom } from 'nanostores'
import { referrals } from '#lib/api/referrals.ts'
import { company } from '#lib/company.ts'
import { localPath } from '#lib/i18n/path.ts'
import type { Country } from '#lib/numbers/countries.ts'
import { authorised } from '#session/api.ts'
import { texts } from './texts.ts'

const $shown = atom<SharedCall | null>(null)
/** The call whose card is open. Kept here, so that the card survives a new layout of the page. */
export const $sharedCall: ReadableAtom<SharedCall | null> = $shown

export function openCard(call: SharedCall): void {
  $shown.set(call)
}

export function closeCard(): void {
  $shown.set(null)
}

/** What a shared call says: never the number, and never whose it is. */
export interface SharedCall {
  readonly country: Pick<Country, 'name' | 'isoCode'>
  readonly minutes: number
  readonly lessThanStamp: boolean
}

/** Without a sentence around it: some countries' names need an article, others none. */
export function callHeadline({ country, minutes }: SharedCall): string {
  return texts.headline({ place: country.name, minutes })
}

/** The message that goes with the card. @param link the user's referral link */
export function shareText(call: SharedCall, link: string): string {
  const message = call.lessThanStamp ? texts.cheapMessage : texts.message
  // Outside the message, which from right to left has marks around what it is given: they would become part of the link.
  return `${message({ headline: callHeadline(call), company: company.name })} ${link}`
}

export interface ShareLink {
  readonly address: string
  /** False: the site's own address, which earns nothing. */
  readonly isReferral: boolean
}

/** The user's referral link; without an answer, the site's own address. */
export async function loadShareLink(): Promise<ShareLink> {
  const result = await authorised(referrals, {}, { skipLogoutOnFail: true, timeoutMs: 5000 })
  return result.ok
    ? { address: result.value.link, isReferral: true }
    : { address: window.location.origin + localPath(''), isReferral: false }
}

/** The card in words, for people who do not see it. */
export function cardText(call: SharedCall, { isReferral }: ShareLink): string {
  return texts.card({ headline: callHeadline(call), back: isReferral ? 'referral' : 'address' })
}

/** The back's headline: two lines. That a call costs less than a stamp is said only of one that did. */
export function backLines({ lessThanStamp }: SharedCall): readonly string[] {
  return (lessThanStamp ? texts.cheapBack : texts.back).split('\n')
}

/** A link as it is printed on the card. */
export function printedLink(link: string): string {
  return link.replace(/^https?:\/\//, '').replace(/\/(?=\?|$)/, '')
}

/** Whether the browser can pass on this card, with its picture or at least its text. */
export function shareDataOf(text: string, picture: File): ShareData | null {
  if (typeof navigator.share !== 'function') return null
  const whole = { text, files: [picture] }
  return navigator.canShare?.(whole) ? whole : { text }
}

/** As much of a country's name as fits the postmark's ring: 22 letters, each with its vowel signs. */
export function ringText(name: string): string {
  return /^(?:\P{M}\p{M}*){0,22}/u.exec(name.toUpperCase())?.[0] ?? ''
}
