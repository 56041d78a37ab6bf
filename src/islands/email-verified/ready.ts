import type { User } from '#lib/api/me.ts'

/**
 * What a confirmed address makes ready: the free call, unless the account is known to have used it, as that of somebody who
 * deleted theirs and came back.
 */
export function readyThen(user: Pick<User, 'has_used_free_call'> | null): 'free call' | 'account' {
  return user?.has_used_free_call === true ? 'account' : 'free call'
}
