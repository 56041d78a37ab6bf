import type { FastifyInstance } from 'fastify'
import { ratesCsvPath, ratesJsonPath, tariffCsvPath } from '#lib/api/public-rates.ts'

/** Files that pages of any other site may read: they hold nothing of anybody's. */
export const publicFiles: readonly string[] = [
  ratesJsonPath,
  ratesCsvPath,
  tariffCsvPath,
  '/api/openapi.json',
]

/** Lets programs in other sites' pages read the published rates. Where a CDN serves the files, it has to say the same. */
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
