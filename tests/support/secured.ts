import type { Services } from '#server/context.ts'
import { signAccessToken } from '#server/identity/access-token.ts'
import { startSession } from '#server/identity/refresh-token.ts'

/** A session signed in with a second factor; `authorization` gives the header of its requests. */
export async function securedSession(
  services: Services,
  userId: string,
): Promise<{ readonly sessionId: string; readonly authorization: () => Promise<string> }> {
  const at = services.clock.now()
  const proof = { provedAt: at, secondFactorAt: at }
  const { sessionId } = await services.db.transaction(tx =>
    startSession(tx, services, userId, undefined, proof),
  )
  const { keys, clock } = services
  return {
    sessionId,
    authorization: async () =>
      `Bearer ${await signAccessToken(keys.access, userId, clock, undefined, sessionId)}`,
  }
}
