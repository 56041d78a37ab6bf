import type { User } from '#lib/api/me.ts'

/**
 * What a confirmed address unlocks: the free call, unless the account is known to have used it. That can be so at
 * confirmation, for a person who deleted an earlier account and registered again.
 */
export function readyThen(user: Pick<User, 'has_used_free_call'> | null): 'free call' | 'account' {
  return user?.has_used_free_call === true ? 'account' : 'free call'
}
