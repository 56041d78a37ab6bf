import { atom, computed, type ReadableAtom } from 'nanostores'
import { followSession } from '#session/follow-session.ts'
import { $user } from '#session/user.ts'

const $freeCallRejected = atom(false)

/** Whether the first call is still free; false while unknown. All texts about it depend on this. */
export const $freeCall: ReadableAtom<boolean> = computed(
  [$user, $freeCallRejected],
  (user, rejected) => user?.has_used_free_call === false && !rejected,
)

export function markFreeCallRejected(): void {
  $freeCallRejected.set(true)
}

// The rejection concerned the previous user.
followSession(() => $freeCallRejected.set(false))
