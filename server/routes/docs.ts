import type { FastifyInstance } from 'fastify'

/** The API's page and document: files of the built site below `/api/`, whose other answers are kept by nobody. */
const files: readonly string[] = ['/api/docs.html', '/api/openapi.json']

/** Lets browsers keep them and ask whether they are still the same, as they do with every page. */
export function keepDocs(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => {
    const [path = ''] = request.url.split('?')
    if (files.includes(path) && reply.statusCode < 400) reply.header('cache-control', 'no-cache')
  })
}
