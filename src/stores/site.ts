import { atom } from 'nanostores'
import { site } from '#lib/api/site.ts'
import { request } from './transport.ts'

/** Whether mails end in the local inbox at `/dev/inbox`; false until the server says so. */
export const $localInbox = atom(false)

/** Asks the server what kind of installation this is. A page that cannot know shows nothing local. */
export async function loadSite(): Promise<void> {
  const result = await request(site, {})
  if (result.ok) $localInbox.set(result.value.localInbox)
}
