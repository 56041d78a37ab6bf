import { localPath } from '#lib/i18n/path.ts'
import { goInstead } from '#session/navigation.ts'
import { consumeReturnPath } from '#session/return-path.ts'

/** Leaves a page for visitors, which does not stay in the history. */
export function goOnSignedIn(): void {
  goInstead(consumeReturnPath(window.location.href, localPath('/call')))
}
