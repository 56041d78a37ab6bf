import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { BuiltSite } from './built-site.ts'

/** Paths of pages, and of the other kinds of files that name the site's address. */
export const addressedPaths = /(?:^|\/)[^./]*$|\.(?:html|json|txt|xml)$/

/**
 * Answers pages, sitemaps and the like with the address of this server in the place of the one that they were built for. The
 * files stay as they are, since a server on another port may serve them too. Must be called before whatever keeps answers.
 */
export function readdressPages(app: FastifyInstance, site: BuiltSite, publicUrl: string): void {
  /** The address to replace in the answer; undefined if there is none. */
  const otherAddress = ({ routeOptions, url }: FastifyRequest) => {
    const builtFor = site.builtFor()
    const [path = ''] = url.split('?')
    const isAddressed = routeOptions.url === '/*' && addressedPaths.test(path)
    return isAddressed && builtFor !== publicUrl ? builtFor : undefined
  }
  app.addHook('onRequest', async request => {
    if (otherAddress(request) === undefined) return
    // The address can only be replaced in a whole file that is not compressed.
    delete request.headers['accept-encoding']
    delete request.headers.range
  })
  app.addHook('onSend', async (request, reply, payload) => {
    const address = otherAddress(request)
    // A build may have ended since the request came.
    if (address === undefined || reply.statusCode !== 200 || reply.hasHeader('content-encoding'))
      return payload
    reply.removeHeader('accept-ranges')
    // That of the file. The answer to HEAD may leave it out.
    reply.removeHeader('content-length')
    if (request.method === 'HEAD') return payload
    const file = await buffer(payload as Readable)
    const body = Buffer.from(file.toString().replaceAll(address, publicUrl))
    reply.header('content-length', body.length)
    return Readable.from([body])
  })
}
