import { atom } from 'nanostores'
import * as z from 'zod/mini'

const mail = z.object({
  to: z.string(),
  /** Where an answer goes, if not to us. */
  replyTo: z.nullable(z.string()),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  /** ISO 8601. */
  sentAt: z.string(),
})
export type Mail = z.output<typeof mail>

export type Inbox =
  | { readonly state: 'loading' }
  /** Newest first. `stale` while the server does not answer. */
  | { readonly state: 'ready'; readonly mails: readonly Mail[]; readonly stale: boolean }
  | { readonly state: 'failed' }

/** Mails that the local server would have sent (decision 3). Written here alone. */
export const $inbox = atom<Inbox>({ state: 'loading' })

const pollMs = 2_000
const timeoutMs = 5_000

async function fetchMails(): Promise<readonly Mail[]> {
  const response = await fetch('/dev/inbox.json', {
    credentials: 'same-origin',
    cache: 'no-store',
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (!response.ok) throw new Error(`the local inbox answered ${response.status}`)
  return z.parse(z.array(mail), await response.json())
}

function same(one: readonly Mail[], other: readonly Mail[]): boolean {
  return one.length === other.length && one[0]?.sentAt === other[0]?.sentAt && one[0]?.to === other[0]?.to
}

async function refresh(): Promise<void> {
  const before = $inbox.get()
  try {
    const mails = await fetchMails()
    if (before.state === 'ready' && !before.stale && same(before.mails, mails)) return
    $inbox.set({ state: 'ready', mails, stale: false })
  } catch {
    if (before.state === 'ready') $inbox.set({ ...before, stale: true })
    else $inbox.set({ state: 'failed' })
  }
}

/**
 * Asks for the mails now and every 2 s while the page is visible.
 * @returns what stops it
 */
export function watchInbox(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false
  const turn = async () => {
    if (!document.hidden) await refresh()
    if (!stopped) timer = setTimeout(() => void turn(), pollMs)
  }
  void turn()
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
