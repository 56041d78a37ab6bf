import { atom, type ReadableAtom } from 'nanostores'
import { referrals } from '#lib/api/referrals.ts'
import { company } from '#lib/company.ts'
import { minutesText } from '#lib/count.ts'
import type { Country } from '#lib/numbers/countries.ts'
import { authorised } from '#session/api.ts'

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
  return `${country.name}, ${minutesText(minutes)}`
}

/** The message that goes with the card. @param link the user's referral link */
export function shareText(call: SharedCall, link: string): string {
  const price = call.lessThanStamp ? ', less than a stamp' : ''
  return `${callHeadline(call)}${price}. I called with ${company.name}. Your first call is free: ${link}`
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
    : { address: window.location.origin, isReferral: false }
}

/** The card in words, for people who do not see it. */
export function cardText(call: SharedCall, { isReferral }: ShareLink): string {
  return `A postcard: ${callHeadline(call)}. On its back is ${isReferral ? 'your referral link' : 'our address'}.`
}

/** The back's headline: two lines. That a call costs less than a stamp is said only of one that did. */
export function backLines({ lessThanStamp }: SharedCall): readonly [string, string] {
  return lessThanStamp ? ['Call home for less', 'than a stamp.'] : ['Call home', 'from your browser.']
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
