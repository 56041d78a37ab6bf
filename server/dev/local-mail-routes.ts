import type { FastifyInstance, FastifyReply } from 'fastify'
import { sourceLanguage } from '#lib/i18n/language.ts'
import type { Db } from '../db/port.ts'
import { commonFailure } from '../http/failure.ts'
import { inLanguage } from '../languages/languages.ts'
import { emptyInbox, listInbox } from '../mail/local-inbox.ts'
import { sampleMails } from './sample-mails.ts'

/** Sandboxes an e-mail: nothing is loaded or run, and its links open in the page around it. */
const mailPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; base-uri 'none'; sandbox allow-popups " +
  'allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation'

/** The local inbox and a sample of every e-mail template (PD-3). Never served in production. */
export function mountLocalMail(app: FastifyInstance, { db, publicUrl }: { db: Db; publicUrl: string }): void {
  app.addHook('onSend', async (request, reply) => {
    if (!/^\/dev\/(inbox|letters)(\?|$)/.test(request.originalUrl)) return
    reply.header('content-security-policy', `${reply.getHeader('content-security-policy')};frame-src 'self'`)
  })
  const show = (reply: FastifyReply, html: string | undefined) => {
    if (html === undefined) throw commonFailure('not_found')
    reply.type('text/html; charset=utf-8').header('content-security-policy', mailPolicy)
    return reply.send(html.replace('<head>', '<head><base target="_top">'))
  }
  app.get('/dev/inbox.json', async () => listInbox(db))
  app.delete('/dev/inbox.json', async (_request, reply) => {
    await emptyInbox(db)
    return reply.code(204).send()
  })
  app.get<{ Params: { id: string } }>('/dev/inbox/:id', async ({ params }, reply) =>
    show(reply, (await listInbox(db)).find(({ id }) => id === params.id)?.html),
  )
  /** In the language of `?language=es`. */
  const samples = (language = sourceLanguage) => inLanguage(language, () => sampleMails(publicUrl))
  app.get<{ Querystring: { language?: string } }>('/dev/letters.json', async ({ query }) =>
    samples(query.language),
  )
  app.get<{ Params: { id: string }; Querystring: { language?: string } }>(
    '/dev/letters/:id',
    async ({ params, query }, reply) =>
      show(reply, samples(query.language).find(({ id }) => id === params.id)?.html),
  )
}
