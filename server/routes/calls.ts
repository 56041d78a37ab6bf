import { call, calls } from '#lib/api/calls.ts'
import { commonFailure } from '../http/failure.ts'
import type { Mount } from '../http/mount.ts'
import { findCall, listCalls } from '../services/calls/history.ts'
import type { Services } from '../services/context.ts'

export function mountCalls(mount: Mount, { db }: Services): void {
  mount(calls, async ({ userId, query }) => listCalls(db, userId, query.cursor))
  mount(call, async ({ userId, params }) => {
    const record = await findCall(db, userId, params.id)
    if (record === undefined) throw commonFailure('not_found')
    return record
  })
}
