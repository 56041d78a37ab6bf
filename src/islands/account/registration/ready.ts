import type { User } from '#lib/api/me.ts'

/** The free call may be used up at confirmation, by a person who deleted an earlier account and registered again. */
export function readyThen(user: Pick<User, 'has_used_free_call'> | null): 'free call' | 'account' {
  return user?.has_used_free_call === true ? 'account' : 'free call'
}
