import { existsSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { commonFailure } from './failure.ts'

/** Their files, as they are or compressed. */
const tokenPages = /^(?:reset-password|verify-email)\.html/

/**
 * The built site: precompressed, with ETags; files with a hash in their name never change, everything
 * else is asked for again.
 */
export async function serveSite(
  app: FastifyInstance,
  { directory, local }: { directory: string; local: boolean },
): Promise<void> {
  const built = existsSync(join(directory, 'index.html'))
  if (built) {
    await app.register(fastifyStatic, {
      root: directory,
      preCompressed: true,
      dotfiles: 'ignore',
      cacheControl: false,
      // The ETag says the same, better.
      lastModified: false,
      allowedPath: path => local || !path.startsWith('/dev/'),
      setHeaders: (reply, path) => {
        const [folder] = relative(directory, path).split(sep)
        const immutable = folder === '_astro'
        reply.header('cache-control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache')
        // Their addresses hold a token, which is nobody else's.
        if (tokenPages.test(relative(directory, path))) reply.header('referrer-policy', 'no-referrer')
        // Pictures of shared links: the pages that show them are other people's.
        if (folder === 'og') reply.header('cross-origin-resource-policy', 'cross-origin')
      },
    })
  }
  app.setNotFoundHandler(async (request, reply) => {
    const wantsPage = request.method === 'GET' && !request.url.startsWith('/api/')
    if (built && wantsPage) return reply.code(404).sendFile('404.html')
    throw commonFailure('not_found')
  })
}
