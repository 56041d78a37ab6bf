import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { type DestinationStream, type LoggerOptions, pino } from 'pino'
import type { Config } from '../config.ts'

export type Log = FastifyBaseLogger

/** No private data: a path may hold a number and a query a token, so the route's pattern is logged. */
export function createLog(
  level: Config['logLevel'],
  destination: DestinationStream = pino.destination(1),
): Log {
  const options: LoggerOptions = {
    level,
    serializers: {
      // A database error carries its parameters: addresses, numbers, e-mails with their links.
      err: (error: Error & { code?: unknown }) => ({
        type: error.name,
        message: error.message,
        code: error.code,
        stack: error.stack,
      }),
      req: (request: FastifyRequest) => ({
        method: request.method,
        route: request.routeOptions.url ?? 'none',
      }),
    },
  }
  return pino(options, destination)
}
