import { atom } from 'nanostores'
import { site } from '#lib/api/site.ts'
import { request } from './transport.ts'

/** E-mails go to the inbox at `/dev/inbox`; false until known. */
export const $localInbox = atom(false)

/** The site where users may review us; null if there is none, or until known. */
export const $reviewUrl = atom<string | null>(null)

/** True until known, because nearly every installation offers it. */
export const $googleOffered = atom(true)

export async function loadSite(): Promise<void> {
  const result = await request(site, {})
  if (!result.ok) return
  $localInbox.set(result.value.localInbox)
  $reviewUrl.set(result.value.reviewUrl)
  $googleOffered.set(result.value.google)
}
