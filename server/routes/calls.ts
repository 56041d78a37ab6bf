import { call, callReceipt, calls, callTotals } from '#lib/api/calls.ts'
import { commonFailure, failed } from '../http/failure.ts'
import type { Mount } from '../http/mount.ts'
import { findCall, listCalls } from '../services/calls/history.ts'
import { totalCalls } from '../services/calls/history-totals.ts'
import { callReceiptOf } from '../services/calls/receipt.ts'
import type { Services } from '../services/context.ts'

export function mountCalls(mount: Mount, { db }: Services): void {
  mount(calls, async ({ userId, query }) => listCalls(db, userId, query))
  mount(callTotals, async ({ userId, query }) => totalCalls(db, userId, query))
  const findOwn = async (userId: string, callId: string) => {
    const record = await findCall(db, userId, callId)
    if (record === undefined) throw commonFailure('not_found')
    return record
  }
  mount(call, async ({ userId, params }) => findOwn(userId, params.id))
  mount(callReceipt, async ({ userId, params }) => {
    const record = await findOwn(userId, params.id)
    if (record.state !== 'ended') {
      throw failed(callReceipt, 'not_ended', 'This call goes on. Its receipt is there once it has ended.')
    }
    return callReceiptOf(db, userId, record)
  })
}
