import type { Db } from '../db/port.ts'

export async function sessionIsOver(db: Db, id: string): Promise<boolean> {
  return (await sessionsOver(db, [id])).length > 0
}

export async function sessionsOver(db: Db, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const over = await db.query<{ id: string }>(
    `select id from unnest($1::uuid[]) as asked (id)
     where not exists (select 1 from refresh_token where family = asked.id and revoked_at is null)`,
    [ids],
  )
  return over.map(({ id }) => id)
}
