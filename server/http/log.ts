import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { pino } from 'pino'
import type { Config } from '../config.ts'

export type Log = FastifyBaseLogger

/**
 * Structured logs with request ids and nothing private: a path may hold a phone number and a query a
 * token, so the route's pattern is logged instead; neither headers nor addresses are.
 */
export function createLog(level: Config['logLevel']): Log {
  return pino({
    level,
    serializers: {
      req: (request: FastifyRequest) => ({
        method: request.method,
        route: request.routeOptions.url ?? 'none',
      }),
    },
  })
}
