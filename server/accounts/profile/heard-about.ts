import type { RequestOutput } from '#lib/api/endpoint.ts'
import type { heardAbout } from '#lib/api/profile.ts'
import type { Services } from '../../context.ts'

/** Stores where a user heard about us, or that they declined to say. The first answer stays. */
export async function keepHeardAbout(
  { db, clock }: Services,
  userId: string,
  { source, detail }: RequestOutput<typeof heardAbout>['body'],
): Promise<void> {
  const detailText = source === null || detail === undefined || detail === '' ? null : detail
  await db.query(
    `update app_user set heard_about = $2, heard_about_detail = $3, heard_about_at = $4
     where id = $1 and heard_about_at is null`,
    [userId, source, detailText, clock.now()],
  )
}
