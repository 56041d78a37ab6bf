import type { FastifyInstance } from 'fastify'
import { ratesCsvPath, ratesJsonPath, tariffCsvPath } from '#lib/api/public-rates.ts'

/** Files that pages of any site may read; they hold no personal data. */
export const publicFiles: readonly string[] = [
  ratesJsonPath,
  ratesCsvPath,
  tariffCsvPath,
  '/api/openapi.json',
]

/** Allows other sites' pages to read the published rates. A CDN that serves the files must send the same headers. */
export function openPublicFiles(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => {
    const [path = ''] = request.url.split('?')
    if (publicFiles.includes(path)) {
      reply.headers({
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'etag',
        'cross-origin-resource-policy': 'cross-origin',
      })
    }
  })
}

/** The API's page and document: static files below `/api/`, where other answers are never cached. */
const docs: readonly string[] = ['/api/docs.html', '/api/openapi.json']

/** Lets browsers cache them with revalidation, like every page. */
export function keepDocs(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => {
    const [path = ''] = request.url.split('?')
    if (docs.includes(path) && reply.statusCode < 400) reply.header('cache-control', 'no-cache')
  })
}
