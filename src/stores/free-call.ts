import { atom, computed, type ReadableAtom } from 'nanostores'
import { followSession } from './follow-session.ts'
import { $user } from './user.ts'

/** The server has refused to make a call free that this page had promised: it promises none any more. */
const $refused = atom(false)

/**
 * Whether the first call is still free, as far as this page knows: everything that it says of the free call follows this.
 * False while nobody has told.
 */
export const $freeCall: ReadableAtom<boolean> = computed(
  [$user, $refused],
  (user, refused) => user?.has_used_free_call === false && !refused,
)

export function tellNotFree(): void {
  $refused.set(true)
}

// What was refused was another's.
followSession(() => $refused.set(false))
