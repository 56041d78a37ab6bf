import type { Db } from '../../db/port.ts'
import type { CarrierBooks } from '../../telephony/port.ts'
import { isCallerIdOfAnybody } from '../caller-ids/caller-ids.ts'

async function legOf(db: Db, callId: string): Promise<string | undefined> {
  const [call] = await db.query<{ carrier_leg: string | null }>(
    'select carrier_leg from call where id = $1',
    [callId],
  )
  return call?.carrier_leg ?? undefined
}

async function liveCallOf(db: Db, leg: string): Promise<string | undefined> {
  const [call] = await db.query<{ id: string }>(
    `select id from call where carrier_leg = $1 and state <> 'ended'`,
    [leg],
  )
  return call?.id
}

export function carrierBooks(db: Db): CarrierBooks {
  return {
    legOf: callId => legOf(db, callId),
    liveCallOf: leg => liveCallOf(db, leg),
    isCallerId: number => isCallerIdOfAnybody(db, number),
  }
}
