/** Serves a built site as our server serves ours, and nothing else: the directory and the port are its arguments. */
import Fastify from 'fastify'
import { watchBuiltSite } from '#server/http/built-site.ts'
import { serveSite } from '#server/http/static-site.ts'

const app = Fastify({ forceCloseConnections: true })
const directory = String(process.argv[2])
const site = watchBuiltSite(directory, () => performance.now())
await serveSite(app, { directory, site, local: true })
await app.listen({ port: Number(process.argv[3]), host: 'localhost' })
process.send?.('ready')
