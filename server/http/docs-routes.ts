import type { FastifyInstance } from 'fastify'

/** The API's page and document: static files below `/api/`, where other answers are never cached. */
const files: readonly string[] = ['/api/docs.html', '/api/openapi.json']

/** Lets browsers cache them with revalidation, like every page. */
export function keepDocs(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => {
    const [path = ''] = request.url.split('?')
    if (files.includes(path) && reply.statusCode < 400) reply.header('cache-control', 'no-cache')
  })
}
