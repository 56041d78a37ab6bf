import type { RequestOutput } from '#lib/api/endpoint.ts'
import type { feedback } from '#lib/api/feedback.ts'
import type { Services } from '../context.ts'

export type Feedback = RequestOutput<typeof feedback>['body']

/** Later feedback on a call replaces earlier. @returns false, storing nothing, if the call is not this user's */
export async function keepFeedback(
  services: Services,
  userId: string,
  { score, issue, comment, callId }: Feedback,
): Promise<boolean> {
  const kept = await services.db.transaction(async tx => {
    if (callId !== undefined) {
      const own = await tx.query('select id from call where id = $1 and user_id = $2', [callId, userId])
      if (own.length === 0) return false
    }
    // Before the insert that refers to user and call: settling a call locks them in this order.
    await tx.query('update app_user set has_submitted_feedback = true where id = $1', [userId])
    await tx.query(
      `insert into feedback (id, user_id, call_id, score, issue, comment, created_at)
       values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (call_id) do update set score = excluded.score, issue = excluded.issue,
         comment = excluded.comment, created_at = excluded.created_at`,
      [
        services.random.uuid(),
        userId,
        callId ?? null,
        score,
        issue ?? null,
        comment || null,
        services.clock.now(),
      ],
    )
    return true
  })
  if (kept) services.observe?.({ kind: 'feedback', score, issue: issue ?? null })
  return kept
}
