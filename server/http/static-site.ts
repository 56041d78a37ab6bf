import { existsSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { BuiltSite } from './built-site.ts'
import { commonFailure } from './failure.ts'

/** In any language; plain or compressed files. */
const tokenPages = /^(?:[\w-]+\/)?(?:reset-password|verify-email)\.html/

/** Precompressed, with ETags. Files with a hash in their name never change; others are revalidated. */
export async function serveSite(
  app: FastifyInstance,
  { directory, site, local }: { directory: string; site: BuiltSite; local: boolean },
): Promise<void> {
  const built = existsSync(join(directory, 'index.html'))
  if (built) {
    await app.register(fastifyStatic, {
      root: directory,
      preCompressed: true,
      dotfiles: 'ignore',
      cacheControl: false,
      // The ETag is more precise.
      lastModified: false,
      allowedPath: path => local || !path.startsWith('/dev/'),
      setHeaders: (reply, path) => {
        const [folder] = relative(directory, path).split(sep)
        const immutable = folder === '_astro'
        reply.header('cache-control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache')
        // Their addresses hold a secret token.
        if (tokenPages.test(relative(directory, path))) reply.header('referrer-policy', 'no-referrer')
        // Images of shared links are shown by other sites.
        if (folder === 'og') reply.header('cross-origin-resource-policy', 'cross-origin')
      },
    })
  }
  app.setNotFoundHandler(async (request, reply) => {
    const wantsPage = request.method === 'GET' && !request.url.startsWith('/api/')
    if (built && wantsPage) return reply.code(404).sendFile(site.notFoundPage(request.url))
    throw commonFailure('not_found')
  })
}
