import type { CallPurpose } from '#lib/api/calls.ts'
import { lineCheckToken } from '#lib/api/line-check.ts'
import { testCallToken } from '#lib/api/test-call.ts'
import { voiceToken } from '#lib/api/token.ts'
import { endReasonTexts } from '#lib/calls/end-reason-texts.ts'
import type { Services } from '../../context.ts'
import { commonFailure, failed, tooManyRequests } from '../../http/failure.ts'
import { type HandlerContext, type Mount, pageRequests } from '../../http/mount.ts'
import { browserOf, noteBrowser } from '../../identity/browser.ts'
import { deviceCookie } from './device-cookie.ts'
import { issueLineCheckToken } from './line-check.ts'
import { rejections } from './rejection-texts.ts'
import { issueVoiceToken } from './voice-token.ts'

export function mountVoiceTokens(mount: Mount, services: Services): void {
  const deviceOf = deviceCookie(services)
  const issue = async (
    { userId, sessionId }: Pick<HandlerContext<typeof voiceToken>, 'userId' | 'sessionId'>,
    http: HandlerContext<typeof voiceToken>['http'],
    purpose: CallPurpose,
  ) => {
    const origin = { address: http.request.ip, device: deviceOf(http.request, http.reply) }
    const issued = await issueVoiceToken(services, userId, origin, purpose, sessionId)
    if (issued.ok) {
      if (sessionId !== undefined)
        await noteBrowser(services.db, sessionId, browserOf(http.request.headers['user-agent']))
      return issued.value
    }
    if (issued.code === 'unauthorized') throw commonFailure('unauthorized')
    throw failed(voiceToken, issued.code, endReasonTexts[issued.code], { reason: issued.code })
  }
  mount(voiceToken, ({ http, ...who }) => issue(who, http, 'call'), pageRequests)
  mount(testCallToken, ({ http, ...who }) => issue(who, http, 'test'), pageRequests)
  mount(lineCheckToken, async ({ userId, sessionId, http }) => {
    const origin = { address: http.request.ip, device: deviceOf(http.request, http.reply) }
    const check = await issueLineCheckToken(services, userId, origin, sessionId)
    switch (check.kind) {
      case 'issued':
        return { token: check.token, ttlSeconds: check.ttlSeconds, route: check.route }
      case 'too_many':
        throw tooManyRequests(
          check.spent.waitMs,
          check.spent.per === 'everyone' ? rejections.lineCheckDay : rejections.lineCheckMany,
        )
      case 'refused':
        if (check.code === 'unauthorized') throw commonFailure('unauthorized')
        throw failed(lineCheckToken, check.code, endReasonTexts[check.code])
      default:
        return check satisfies never
    }
  })
}
