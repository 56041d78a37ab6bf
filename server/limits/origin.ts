import { createHmac } from 'node:crypto'
import { isIP } from 'node:net'
import type { Services } from '../context.ts'
import type { Db } from '../db/port.ts'

export interface BrowserOrigin {
  readonly address: string
  /** The browser's id in our cookie. */
  readonly device: string
}

/** Stored as keyed hashes, so that the database reveals no address. */
export interface CallerOrigin {
  /** The /64 for IPv6. */
  readonly address: Uint8Array | null
  /** IPv6 /48 or IPv4 /24; null if an older version saved the origin. */
  readonly network: Uint8Array | null
  /** IPv6 /32, as a provider has it; null for IPv4, and if an older version saved the origin. */
  readonly allocation: Uint8Array | null
  readonly device: Uint8Array | null
  /** This machine, exempt from the limits on free calls (PD-20). */
  readonly local: boolean
}

export function hashOrigin(
  { keys }: Pick<Services, 'keys'>,
  { address, device }: { readonly address: string; readonly device: string | null },
): CallerOrigin {
  const hash = (text: string) => createHmac('sha256', keys.origin).update(text).digest()
  const allocation = allocationOf(address)
  return {
    address: hash(`address ${networkOf(address)}`),
    network: hash(`network ${widerNetworkOf(address)}`),
    allocation: allocation === null ? null : hash(`allocation ${allocation}`),
    device: device === null ? null : hash(`device ${device}`),
    local: isLoopback(address),
  }
}

export async function noteOrigin(services: Services, userId: string, browser: BrowserOrigin): Promise<void> {
  const { address, network, allocation, device, local } = hashOrigin(services, browser)
  await services.db.query(
    `insert into caller_origin (user_id, address, network, device, local, seen_at, allocation)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (user_id) do update set address = excluded.address, network = excluded.network,
       allocation = excluded.allocation, device = excluded.device, local = excluded.local, seen_at = excluded.seen_at`,
    [userId, address, network, device, local, services.clock.now(), allocation],
  )
}

export async function originOf(tx: Db, userId: string): Promise<CallerOrigin | undefined> {
  const [row] = await tx.query<CallerOrigin>(
    'select address, network, allocation, device, local from caller_origin where user_id = $1',
    [userId],
  )
  return row
}

export function isLoopback(address: string): boolean {
  const plain = withoutMapping(address)
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'))
}

/** The address, or for IPv6 its /64, which one household usually has. */
export function networkOf(address: string): string {
  const plain = withoutMapping(address)
  return isIP(plain) === 6 ? groupsOf(plain).slice(0, 4).join(':') : plain
}

/** What one customer of a provider may have: an IPv6 /48 or an IPv4 /24. */
function widerNetworkOf(address: string): string {
  const plain = withoutMapping(address)
  return isIP(plain) === 6 ? groupsOf(plain).slice(0, 3).join(':') : plain.split('.').slice(0, 3).join('.')
}

/** What registries give a provider at least: an IPv6 /32. Of IPv4 nobody has that much. */
function allocationOf(address: string): string | null {
  const plain = withoutMapping(address)
  return isIP(plain) === 6 ? groupsOf(plain).slice(0, 2).join(':') : null
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groupsOf(address: string): string[] {
  const [head = '', tail = ''] = address.split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === '' ? [] : tail.split(':')
  const zeros = address.includes('::') ? Array(Math.max(0, 8 - first.length - last.length)).fill('0') : []
  return [...first, ...zeros, ...last].map(group => Number.parseInt(group, 16).toString(16))
}

function withoutMapping(address: string): string {
  return address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '')
}
