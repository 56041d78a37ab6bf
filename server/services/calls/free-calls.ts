import type { CallPurpose } from '#lib/api/calls.ts'
import type { Db } from '../../db/port.ts'
import type { Services } from '../context.ts'
import type { CallerOrigin } from './origin.ts'

const monthMs = 30 * 24 * 3600_000

/**
 * Whether one more free call may go from here to there (decision 20): of one address, of one device and to one number
 * at most so many a month, those that were answered or may still be. Test calls are counted apart. Callers take turns here,
 * so that none is overlooked.
 */
export async function mayCallFree(
  tx: Db,
  { clock, policy, telephony }: Services,
  to: string,
  origin: CallerOrigin | undefined,
  purpose: CallPurpose = 'call',
): Promise<boolean> {
  if (origin?.local === true) return true
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('free calls', 0))`)
  const since = new Date(clock.now().getTime() - monthMs)
  const count = async (column: 'from_address' | 'from_device' | 'to_number', value: Uint8Array | string) => {
    const [row] = await tx.query<{ made: number }>(
      `select count(*)::int as made from call where free and ${column} = $1 and placed_at > $2
       and purpose is not distinct from $3::text and (answered_at is not null or state <> 'ended')`,
      [value, since, purpose === 'test' ? 'test' : null],
    )
    return row?.made ?? 0
  }
  const most = purpose === 'test' ? policy.testCall.perMonth : policy.freeCallsPerMonth
  if (origin?.address != null && (await count('from_address', origin.address)) >= most) return false
  if (origin?.device != null && (await count('from_device', origin.device)) >= most) return false
  return telephony.isTestNumber(to) || (await count('to_number', to)) < most
}
