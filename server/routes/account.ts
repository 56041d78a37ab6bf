import { me } from '#lib/api/me.ts'
import { voiceToken } from '#lib/api/token.ts'
import { texts } from '#lib/rules/error-texts.ts'
import { deviceCookie } from '../http/device-cookie.ts'
import { commonFailure, failed } from '../http/failure.ts'
import type { Mount } from '../http/mount.ts'
import type { Services } from '../services/context.ts'
import { findUser, presentUser } from '../services/users.ts'
import { issueVoiceToken } from '../services/voice-token.ts'

export function mountAccount(mount: Mount, services: Services): void {
  mount(me, async ({ userId }) => {
    const user = await findUser(services.db, userId)
    if (user === undefined) throw commonFailure('unauthorized')
    return presentUser(user)
  })
  const deviceOf = deviceCookie(services)
  mount(voiceToken, async ({ userId, http }) => {
    const origin = { address: http.request.ip, device: deviceOf(http.request, http.reply) }
    const issued = await issueVoiceToken(services, userId, origin)
    if (issued.ok) return issued.value
    if (issued.code === 'unauthorized') throw commonFailure('unauthorized')
    throw failed(voiceToken, issued.code, texts.calls[issued.code], { reason: issued.code })
  })
}
