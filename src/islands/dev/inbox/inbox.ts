import { atom } from 'nanostores'
import * as z from 'zod/mini'

const mail = z.object({
  id: z.string(),
  to: z.string(),
  /** Null for our own address. */
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
  /** Newest first. `stale`: the server does not answer. */
  | { readonly state: 'ready'; readonly mails: readonly Mail[]; readonly stale: boolean }
  | { readonly state: 'failed' }

/** E-mails that the local server would have sent (PD-3). */
export const $inbox = atom<Inbox>({ state: 'loading' })

const pollMs = 2_000
const timeoutMs = 5_000

export type MailSource = '/dev/inbox' | '/dev/letters'

async function fetchMails(source: MailSource): Promise<readonly Mail[]> {
  const response = await fetch(`${source}.json`, {
    credentials: 'same-origin',
    cache: 'no-store',
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (!response.ok) throw new Error(`the local inbox answered ${response.status}`)
  return z.parse(z.array(mail), await response.json())
}

function same(one: readonly Mail[], other: readonly Mail[]): boolean {
  return one.length === other.length && one[0]?.id === other[0]?.id
}

async function refresh(source: MailSource): Promise<void> {
  const before = $inbox.get()
  try {
    const mails = await fetchMails(source)
    if (before.state === 'ready' && !before.stale && same(before.mails, mails)) return
    $inbox.set({ state: 'ready', mails, stale: false })
  } catch {
    if (before.state === 'ready') $inbox.set({ ...before, stale: true })
    else $inbox.set({ state: 'failed' })
  }
}

/** Loads the e-mails now and every 2 s while the page is visible. @returns stops loading */
export function watchInbox(source: MailSource): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false
  const turn = async () => {
    if (!document.hidden) await refresh(source)
    if (!stopped) timer = setTimeout(() => void turn(), pollMs)
  }
  void turn()
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}

export async function emptyInbox(): Promise<void> {
  try {
    await fetch('/dev/inbox.json', { method: 'DELETE', signal: AbortSignal.timeout(timeoutMs) })
  } finally {
    await refresh('/dev/inbox')
  }
}
