/** May be blocked, full or missing; then values are kept in memory and do not survive a navigation. */
export interface SafeStorage {
  read(key: string): string | null
  write(key: string, value: string): void
  remove(key: string): void
}

function safeStorage(open: () => Storage): SafeStorage {
  const remembered = new Map<string, string>()
  return {
    read(key) {
      const value = remembered.get(key)
      if (value !== undefined) return value
      try {
        return open().getItem(key)
      } catch {
        return null
      }
    },
    write(key, value) {
      try {
        open().setItem(key, value)
        remembered.delete(key)
      } catch {
        remembered.set(key, value)
      }
    },
    remove(key) {
      remembered.delete(key)
      try {
        open().removeItem(key)
      } catch {
        // Nothing could be stored, so there is nothing to remove.
      }
    },
  }
}

/** Shared by all tabs and permanent: the access token, preferences. */
export const localStore = safeStorage(() => localStorage)

/** Keys of what a user leaves behind. Here because each page can log out, and few write these. */
export const pendingCallKey = 'pendingCall'
export const callAfterCheckoutKey = 'callAfterCheckout'
/** Names somebody else, with an address and a message. */
export const giftDraftKey = 'giftDraft'

/**
 * Set while the signed-in user, as last loaded, has used the free call, so that pages which load no user don't promise
 * it. Of `user.ts`; here because each page can log out.
 */
export const freeCallUsedKey = 'freeCallUsed'

/** Per tab: what one page hands to the next (PD-14). */
export const tabStore = safeStorage(() => sessionStorage)

/** Reads and removes what the previous page has stored. */
export function consumeFromTab(key: string): string | null {
  const value = tabStore.read(key)
  tabStore.remove(key)
  return value
}

/** Whether a script-readable cookie exists, also under its name for TLS; false if cookies are blocked. */
export function hasCookie(name: string): boolean {
  try {
    return document.cookie.split('; ').some(pair => pair.replace(/^__Host-/, '').startsWith(`${name}=`))
  } catch {
    return false
  }
}
