/**
 * The browser's storage, which may be blocked, full, or missing. What cannot be stored is remembered for
 * as long as the page lives, so that everything works, only without surviving a navigation.
 */
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
        // Nothing could be stored there, so there is nothing to remove.
      }
    },
  }
}

/** Shared by all tabs and kept: the access token, preferences. */
export const localStore = safeStorage(() => localStorage)

/** This tab alone: what one page hands to the next (decision 14). */
export const tabStore = safeStorage(() => sessionStorage)

/** What one page hands to the next, taken once. */
export function takeFromTab(key: string): string | null {
  const value = tabStore.read(key)
  tabStore.remove(key)
  return value
}
