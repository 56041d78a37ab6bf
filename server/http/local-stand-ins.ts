import type { FastifyInstance, FastifyRequest } from 'fastify'
import { exposeStandIns } from '../config/development-rules.ts'
import { isThisMachine } from '../process/this-machine.ts'
import { commonFailure } from './failure.ts'
import type { Log } from './log.ts'
import { cameThroughProxy } from './proxy-headers.ts'

/**
 * Stand-ins show everybody's e-mail and sign anybody in, so only this machine may use them. A local proxy that adds no
 * header looks like a local browser; a public address for it is rejected at the start.
 */
export function keepStandInsLocal(app: FastifyInstance, publicUrl: string, log: Log): void {
  const publicHost = new URL(publicUrl).hostname
  let warned = false
  app.addHook('onRequest', async request => {
    if (!request.routeOptions.url?.startsWith('/dev/') || isLocal(request, publicHost)) return
    if (!warned)
      log.warn(
        `rejected a request to a stand-in from another machine: see ${exposeStandIns} (docs/configuration.md)`,
      )
    warned = true
    throw commonFailure(
      'forbidden_origin',
      `This part of a development server answers its own machine only. To open it to your network, set ${exposeStandIns}.`,
    )
  })
}

function isLocal({ headers, socket }: FastifyRequest, publicHost: string): boolean {
  if (cameThroughProxy(headers)) return false
  if (!isThisMachine((socket.remoteAddress ?? '').replace(/^::ffff:/, ''))) return false
  // Checks the host name against DNS rebinding: a foreign name may point at this machine.
  const host = URL.parse(`http://${headers.host ?? ''}`)?.hostname ?? ''
  return isThisMachine(host) || host.endsWith('.localhost') || host === publicHost
}
