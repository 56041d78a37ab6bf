import { atom, type ReadableAtom } from 'nanostores'
import type { Reply } from '#lib/api/endpoint.ts'
import { referrals as referralsEndpoint } from '#lib/api/referrals.ts'
import { localPath } from '#lib/i18n/path.ts'
import { authorised } from '#session/api.ts'
import { followSession } from '#session/follow-session.ts'
import { createPrivatePage } from '#session/private-page.ts'
import type { Resource } from '#session/private-resource.ts'

export type Referrals = Resource<Reply<typeof referralsEndpoint>>

const page = createPrivatePage(
  () => localPath('/referrals'),
  () => authorised(referralsEndpoint, {}),
)
export const $referrals: ReadableAtom<Referrals> = page.$state

/** The result of the last Copy. `failed`: the browser does not allow it, so the user must copy by hand. */
export type Copied = 'not_yet' | 'copied' | 'failed'
const $lastCopy = atom<Copied>('not_yet')
export const $copied: ReadableAtom<Copied> = $lastCopy

/** Loads the page, also to retry. Visitors are sent to log in and return. */
export function openReferrals(): Promise<void> {
  $lastCopy.set('not_yet')
  return page.open()
}

export async function copyLink(): Promise<void> {
  const referrals = $referrals.get()
  if (referrals.state !== 'ready') return
  $lastCopy.set('not_yet')
  try {
    await navigator.clipboard.writeText(referrals.value.link)
    $lastCopy.set('copied')
  } catch {
    $lastCopy.set('failed')
  }
}

followSession(() => $lastCopy.set('not_yet'))
