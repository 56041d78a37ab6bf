import { createHmac } from 'node:crypto'
import type { Database } from '../../db/port.ts'
import type { Clock } from '../../process/clock.ts'
import type { Random } from '../../process/random.ts'

export interface LocalTools {
  readonly db: Database
  readonly clock: Clock
  readonly random: Random
  readonly secret: Uint8Array
}

/** An unguessable id: anybody who knows a checkout's id may pay it. */
export function newRef(
  random: Random,
  prefix: 'cs' | 'pi' | 'cus' | 'pm' | 're' | 'dp' | 'fw' | 'evt',
): string {
  return `${prefix}_local_${Buffer.from(random.bytes(24)).toString('base64url')}`
}

/** The same for the same number, and not reversible without the key. */
export function cardFingerprint(secret: Uint8Array, digits: string): string {
  return createHmac('sha256', secret).update(`card ${digits}`).digest('base64url').slice(0, 22)
}

export function after(moment: Date, ms: number): Date {
  return new Date(moment.getTime() + ms)
}
