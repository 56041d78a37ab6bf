import { atom } from 'nanostores'
import { site } from '#lib/api/site.ts'
import { request } from './transport.ts'

/** Whether mails end in the local inbox at `/dev/inbox`; false until the server says so. */
export const $localInbox = atom(false)

/** Where people may review us; null until the server says so, and where there is no such site. */
export const $reviewUrl = atom<string | null>(null)

/** Whether signing in with Google is offered; so until the server says otherwise, as nearly everywhere. */
export const $googleOffered = atom(true)

/** Asks the server what kind of installation this is. A page that cannot know shows nothing local. */
export async function loadSite(): Promise<void> {
  const result = await request(site, {})
  if (!result.ok) return
  $localInbox.set(result.value.localInbox)
  $reviewUrl.set(result.value.reviewUrl)
  $googleOffered.set(result.value.google)
}
