import { followSession } from './follow-session.ts'
import { goToLogin } from './navigation.ts'
import { createPrivateResource, type PrivateResource } from './private-resource.ts'
import { $session, loggedOutHere, start } from './session.ts'

export type PageAnswer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly status: number; readonly message: string }

export interface PrivatePage<Value> extends PrivateResource<Value> {
  /** Loads the page anew, also to retry. Visitors are sent to log in and return. */
  open(): Promise<void>
}

/**
 * The private resource that a whole page shows. Once opened, it opens again when the user changes, unless the user
 * logged out on this page, because the logout redirects. `path`: the page's own, to return to after logging in.
 */
export function createPrivatePage<Value>(
  path: () => string,
  ask: () => Promise<PageAnswer<Value>>,
): PrivatePage<Value> {
  let opened = false

  const resource = createPrivateResource<Value>(async isCurrent => {
    await start()
    if (!isCurrent()) return null
    const result = $session.get().status === 'signed_in' ? await ask() : visitor
    if (result.ok || result.status !== 401) return result
    if (isCurrent()) goToLogin(path())
    return null
  })

  function open(): Promise<void> {
    opened = true
    resource.reset()
    return resource.load()
  }

  followSession(() => {
    if (opened && !loggedOutHere()) void open()
  })
  return { ...resource, open }
}

const visitor = { ok: false, status: 401, message: '' } as const
