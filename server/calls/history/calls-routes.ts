import { album } from '#lib/api/album.ts'
import { claimCall as claimEndpoint } from '#lib/api/call-credits.ts'
import { callQuality } from '#lib/api/call-quality.ts'
import { call, callReceipt, calls, callTotals, searchCalls } from '#lib/api/calls.ts'
import type { Services } from '../../context.ts'
import { commonFailure, failed } from '../../http/failure.ts'
import type { Mount } from '../../http/mount.ts'
import { presentCall } from '../rows.ts'
import { claimMessage } from '../settlement/call-credit.ts'
import { claims } from '../settlement/claim-texts.ts'
import { claimCall } from '../settlement/credit.ts'
import { keepQuality } from '../settlement/quality.ts'
import { albumOf } from './album.ts'
import { callReceiptOf } from './call-receipt.ts'
import { findCallRow, isCallId, listCalls } from './history.ts'
import { totalCalls } from './history-totals.ts'

/** From one address: presses of a button, and pages' call measurements. */
const reportsPerMinute = 60

export function mountCalls(mount: Mount, services: Services): void {
  const { db } = services
  mount(calls, async ({ userId, query }) => listCalls(db, userId, query))
  mount(searchCalls, async ({ userId, body }) => listCalls(db, userId, body))
  mount(callTotals, async ({ userId, body }) => totalCalls(db, userId, body))
  mount(album, async ({ userId, query }) => albumOf(services, userId, query.from))
  const findOwn = async (userId: string, callId: string) => {
    const row = await findCallRow(db, userId, callId)
    if (row === undefined) throw commonFailure('not_found')
    return row
  }
  mount(call, async ({ userId, params }) => presentCall(await findOwn(userId, params.id)))
  mount(callReceipt, async ({ userId, params }) => {
    const row = await findOwn(userId, params.id)
    if (row.state !== 'ended') {
      throw failed(callReceipt, 'not_ended', claims.receiptNotReady)
    }
    return callReceiptOf(services, row)
  })
  mountBadCalls(mount, services)
}

function mountBadCalls(mount: Mount, services: Services): void {
  mount(
    claimEndpoint,
    async ({ userId, params, body }) => {
      if (!isCallId(params.id)) throw commonFailure('not_found')
      const claimed = await claimCall(services, userId, params.id, body.issue)
      if (claimed.ok) return { credited: claimed.value }
      if (claimed.code === 'unknown_call') throw commonFailure('not_found')
      throw failed(claimEndpoint, claimed.code, claimMessage(claimed.code))
    },
    { perMinute: reportsPerMinute },
  )
  mount(
    callQuality,
    async ({ userId, params, body }) => {
      if (!isCallId(params.id) || !(await keepQuality(services, userId, params.id, body)))
        throw commonFailure('not_found')
      return undefined
    },
    { perMinute: reportsPerMinute },
  )
}
