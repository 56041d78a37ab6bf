import { findPostgresPrograms } from '#scripts/postgres-programs.mjs'
import type { Database } from '#server/db/port.ts'
import { openPostgres } from '#server/db/postgres.ts'
import { signAccessToken } from '#server/identity/access-token.ts'
import { systemClock } from '#server/process/clock.ts'
import { deriveKeys, type Keys } from '#server/process/secret.ts'
import { createDatabase, startPostgres } from '#support/postgres.ts'
import { startTestServer, type TestServer } from '#support/test-server.ts'

const secret = 'a secret that only the benches know, and that is long enough'

/** The real server on PostgreSQL that commits to disk, with the local checkout. */
export interface Shop {
  readonly server: TestServer
  readonly db: Database
  readonly keys: Keys
  /** What a signed-in browser of this user sends. */
  signIn(userId: string): Promise<Readonly<Record<string, string>>>
}

/** @returns undefined where PostgreSQL is not installed */
export async function withShop<Value>(work: (shop: Shop) => Promise<Value>): Promise<Value | undefined> {
  if (findPostgresPrograms() === undefined) return undefined
  const postgres = await startPostgres({ durable: true })
  try {
    const { url } = await createDatabase(postgres.url)
    const db = await openPostgres(url)
    const server = await startTestServer({
      environment: {
        DATABASE_URL: url,
        TOKEN_SECRET: secret,
        // Buyers from one machine: each from an address of their own, as far as throttles go.
        TRUSTED_PROXIES: '1',
      },
      policy: { checkoutsPerHour: 1000 },
    })
    const keys = deriveKeys(secret)
    const signIn = async (userId: string) => ({
      authorization: `Bearer ${await signAccessToken(keys.access, userId, systemClock)}`,
    })
    try {
      const value = await work({ server, db, keys, signIn })
      const [breach] = await server.findBreaches()
      if (breach !== undefined) throw new Error(`the books do not balance: ${JSON.stringify(breach)}`)
      return value
    } finally {
      await server.close()
      await db.close()
    }
  } finally {
    await postgres.stop()
  }
}

/** So many users with an account each. @returns their ids */
export async function addBuyers(db: Database, count: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `insert into app_user (id, email, password_hash, email_verified_at, created_at)
     select gen_random_uuid(), 'buyer-' || gen_random_uuid() || '@example.com', 'none', now(), now()
     from generate_series(1, $1::int) returning id`,
    [count],
  )
  await db.query(
    `insert into account (kind, user_id) select 'customer', id from app_user
     where not exists (select 1 from account where user_id = app_user.id)`,
  )
  return rows.map(({ id }) => id)
}
