import type { FastifyInstance } from 'fastify'
import { authorizeLocally } from '#lib/api/local-google.ts'
import { failed } from '../../http/failure.ts'
import type { Mount } from '../../http/mount.ts'
import type { LocalIssuer } from '../../identity/google/local-issuer.ts'
import { localIssuerPath } from '../../identity/google/open.ts'
import { answers } from '../account-texts.ts'

/** Endpoints of the local stand-in for Google, for its page and for our own server. Never in production. */
export function mountLocalGoogle(app: FastifyInstance, mount: Mount, issuer: LocalIssuer): void {
  mount(authorizeLocally, async ({ body }) => {
    const address = issuer.authorize(body.request, body.account)
    if (address.ok) return { address: address.value }
    throw failed(authorizeLocally, address.code, answers.unknownLogin)
  })

  app.get(`${localIssuerPath}/.well-known/openid-configuration`, async () => issuer.metadata())
  app.get(`${localIssuerPath}/keys`, async () => issuer.keys())
  // Form bodies are parsed only here.
  app.register((scope, _options, done) => {
    const readForm = async (_request: unknown, body: string | Buffer) => new URLSearchParams(String(body))
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, readForm)
    scope.post<{ Body: URLSearchParams }>(`${localIssuerPath}/token`, async (request, reply) => {
      const answer = await issuer.exchange(request.body)
      return reply.code(answer.status).header('cache-control', 'no-store').send(answer.body)
    })
    done()
  })
}
