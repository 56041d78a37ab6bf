import { tabStore } from '#session/storage.ts'

const askedKey = 'sourceAsked'

/** Keeps asking this user how they heard about us, in this tab, until they answer it, dismiss it or call again (SPEC-2.8). */
export function askSource(userId: string): void {
  tabStore.write(askedKey, userId)
}

export function isSourceAsked(userId: string): boolean {
  return tabStore.read(askedKey) === userId
}

/** The question was answered, dismissed or passed over. */
export function endSourceQuestion(): void {
  tabStore.remove(askedKey)
}
