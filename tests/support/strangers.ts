import { DatabaseUnavailable } from '#server/db/port.ts'
import { findUser, type UserRow } from '#server/identity/users.ts'
import { hashOrigin } from '#server/limits/origin.ts'
import type { World } from './world.ts'

export interface Stranger {
  readonly email: string
  readonly address: string
  /** Their browser; a separate one each by default. */
  readonly device?: string
}

/**
 * Inserts many accounts with a confirmed address that never paid and have their free call. Without passwords, because
 * hashing is slow.
 */
export async function addStrangers(
  { db, clock, services }: Pick<World, 'db' | 'clock' | 'services'>,
  count: number,
  describe: (nth: number) => Stranger,
): Promise<UserRow[]> {
  const hex = (hash: Uint8Array | null) => Buffer.from(hash ?? []).toString('hex')
  const people = Array.from({ length: count }, (_, nth) => {
    const { email, address, device = services.random.uuid() } = describe(nth)
    const origin = hashOrigin(services, { address, device })
    const [at, network, browser] = [origin.address, origin.network, origin.device].map(hex)
    const allocation = origin.allocation && hex(origin.allocation)
    return {
      id: services.random.uuid(),
      email,
      address: at,
      network,
      allocation,
      device: browser,
      local: origin.local,
    }
  })
  await db.query(
    `with people as (select * from jsonb_to_recordset($1::jsonb)
       as person(id uuid, email text, address text, network text, allocation text, device text, local boolean)),
     users as (insert into app_user (id, email, email_verified_at, created_at) select id, email, $2, $2 from people returning id),
     accounts as (insert into account (kind, user_id) select 'customer', id from users)
     insert into caller_origin (user_id, address, network, allocation, device, local, seen_at)
     select people.id, decode(address, 'hex'), decode(network, 'hex'), decode(allocation, 'hex'), decode(device, 'hex'), local, $2
     from people join users on users.id = people.id`,
    [JSON.stringify(people), clock.now()],
  )
  const users = await Promise.all(people.map(({ id }) => findUser(db, id)))
  return users.filter(user => user !== undefined)
}

/** Retries when no database session was available, as a browser would. */
export async function insist<Answer>(attempt: () => Promise<Answer>): Promise<Answer> {
  try {
    return await attempt()
  } catch (error) {
    if (error instanceof DatabaseUnavailable) return insist(attempt)
    throw error
  }
}
