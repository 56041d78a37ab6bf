import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AddressOfSocket } from '#server/http/socket-address.ts'
import { type Clock, systemClock } from '#server/process/clock.ts'
import { createExchange, type Exchange, type ExchangeOptions } from '#server/telephony/exchange/exchange.ts'
import type { Logger } from '#server/telephony/exchange/logger.ts'
import type { MediaAddress } from '#server/telephony/exchange/media/media-address.ts'
import type {
  CallAttempt,
  CallControl,
  CarrierEvent,
  Placement,
  VerificationEnd,
  VerificationProgress,
} from '#server/telephony/port.ts'

export const secret: Uint8Array = new Uint8Array(32).fill(7)

/** A call service that admits every call and records its events. */
export interface RecordingControl extends CallControl {
  readonly attempts: CallAttempt[]
  readonly events: CarrierEvent[]
  readonly verifications: VerificationEnd[]
  readonly progress: VerificationProgress[]
  /** What `place` answers from now on, given the id that the call would have. */
  decide: (attempt: CallAttempt, callId: string) => Placement | Promise<Placement>
  /** How many of the next reports fail. */
  failures: number
}

export function createRecordingControl(): RecordingControl {
  let count = 0
  return {
    attempts: [],
    events: [],
    verifications: [],
    progress: [],
    failures: 0,
    decide: ({ to }, callId) => ({
      kind: 'connect',
      callId,
      to,
      from: '+442079460000',
      limitMs: 3_600_000,
      rateMicroUsd: 20_000,
    }),
    async place(attempt) {
      this.attempts.push(attempt)
      return await this.decide(attempt, `call-${++count}`)
    },
    async report(event) {
      if (this.failures > 0) {
        this.failures -= 1
        throw new Error('the database is away')
      }
      this.events.push(event)
    },
    admitLineCheck: async () => true,
    async verificationEnded(end) {
      if (this.failures > 0) {
        this.failures -= 1
        throw new Error('the database is away')
      }
      this.verifications.push(end)
    },
    async verificationProgressed(progress) {
      this.progress.push(progress)
    },
  }
}

export interface LogLine {
  readonly level: string
  readonly details: object
  readonly message: string
}

export interface ExchangeWorld {
  readonly exchange: Exchange
  readonly control: RecordingControl
  readonly server: Server
  /** `host:port` of the server. */
  readonly host: string
  readonly log: LogLine[]
  close(): Promise<void>
}

/** Where the phones of tests are, which are bound to it. */
const loopback: MediaAddress = { bound: '127.0.0.1', advertised: '127.0.0.1', ports: undefined }

export async function startExchange(
  options: {
    clock?: Clock
    ttl?: number
    address?: ExchangeOptions['address']
    addressOf?: AddressOfSocket
  } = {},
): Promise<ExchangeWorld> {
  const log: LogLine[] = []
  const write = (level: string) => (details: object, message: string) => {
    log.push({ level, details, message })
  }
  const logger: Logger = {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  }
  const exchange = createExchange({
    clock: options.clock ?? systemClock,
    secret,
    log: logger,
    ...(options.ttl !== undefined && { tokenTtlSeconds: options.ttl }),
    address: options.address ?? loopback,
    ...(options.addressOf !== undefined && { addressOf: options.addressOf }),
  })
  const control = createRecordingControl()
  const server = createServer((_, reply) => reply.writeHead(404).end())
  exchange.open({ control, server })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    exchange,
    control,
    server,
    host: `127.0.0.1:${port}`,
    log,
    async close() {
      await exchange.close()
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
