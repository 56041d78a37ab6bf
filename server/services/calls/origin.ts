import { createHmac } from 'node:crypto'
import { isIP } from 'node:net'
import type { Db } from '../../db/port.ts'
import type { Services } from '../context.ts'

/** Where a browser asks for the permission to call from. */
export interface BrowserOrigin {
  /** The IP address, as the proxies that we trust tell it. */
  readonly address: string
  /** What our cookie calls the browser. */
  readonly device: string
}

/** As it is kept: hashed with a key, so that the database tells nobody's address. */
export interface CallerOrigin {
  readonly address: Uint8Array | null
  readonly device: Uint8Array | null
  /** This very machine, of which no limit on free calls is asked (decision 20). */
  readonly local: boolean
}

/** Remembers where a user will call from. */
export async function noteOrigin(
  { db, clock, keys }: Services,
  userId: string,
  { address, device }: BrowserOrigin,
): Promise<void> {
  const hash = (text: string) => createHmac('sha256', keys.origin).update(text).digest()
  await db.query(
    `insert into caller_origin (user_id, address, device, local, seen_at) values ($1, $2, $3, $4, $5)
     on conflict (user_id) do update set address = excluded.address, device = excluded.device,
       local = excluded.local, seen_at = excluded.seen_at`,
    [
      userId,
      hash(`address ${networkOf(address)}`),
      hash(`device ${device}`),
      isLoopback(address),
      clock.now(),
    ],
  )
}

export async function originOf(tx: Db, userId: string): Promise<CallerOrigin | undefined> {
  const [row] = await tx.query<CallerOrigin>(
    'select address, device, local from caller_origin where user_id = $1',
    [userId],
  )
  return row
}

export function isLoopback(address: string): boolean {
  const plain = withoutMapping(address)
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'))
}

/** One household holds a whole /64 of IPv6: that is its address here. */
export function networkOf(address: string): string {
  const plain = withoutMapping(address)
  if (isIP(plain) !== 6) return plain
  const [head = '', tail = ''] = plain.split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === '' ? [] : tail.split(':')
  const zeros = plain.includes('::') ? Array(Math.max(0, 8 - first.length - last.length)).fill('0') : []
  return [...first, ...zeros, ...last]
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')
}

function withoutMapping(address: string): string {
  return address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '')
}
