import type { FastifyInstance } from 'fastify'
import type { Services } from '../../context.ts'
import { commonFailure, RequestFailure } from '../../http/failure.ts'
import type { Twilio } from '../../telephony/twilio/adapter.ts'
import { webhookPaths } from '../../telephony/twilio/webhook-paths.ts'

/** Far above any request of Twilio's. */
const largestBytes = 64 * 1024

/** Webhooks of Twilio. The signature covers the configured address, so the Host header does not matter. */
export function mountTwilioWebhooks(
  app: FastifyInstance,
  { log, observe }: Pick<Services, 'log' | 'observe'>,
  network: Pick<Twilio, 'receive'>,
): void {
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: largestBytes }, (_request, body, taken) =>
      taken(null, body),
    )
    for (const kind of ['voice', 'status'] as const) {
      scope.post(webhookPaths[kind], { config: { signed: true } }, async (request, reply) => {
        const { body, headers, originalUrl } = request
        const signature = headers['x-twilio-signature']
        const answer = await network.receive(kind, {
          path: originalUrl,
          body: typeof body === 'string' ? body : '',
          signature: typeof signature === 'string' ? signature : '',
        })
        switch (answer?.kind) {
          case undefined:
            throw commonFailure('unavailable')
          case 'refused': {
            const { why } = answer
            log.warn({ webhook: kind, why }, 'rejected a webhook request of the carrier')
            const status = why === 'unreadable' ? 400 : 403
            throw new RequestFailure(why, status, 'This request is not signed for this address and account.')
          }
          case 'failed':
            observe?.({ kind: 'webhook_refused', provider: 'twilio', reason: 'internal' })
            return reply.type('text/xml; charset=utf-8').send(answer.body)
          case 'twiml':
            return reply.type('text/xml; charset=utf-8').send(answer.body)
          case 'taken':
            return reply.code(204).send()
        }
      })
    }
    done()
  })
}
