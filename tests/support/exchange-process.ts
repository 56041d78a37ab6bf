/**
 * The exchange in its own process, started with `--expose-gc`, so that its memory can be measured apart from that of
 * its callers. Run by `exchange-endurance.ts`; communicates over Node's IPC channel.
 */
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createLog } from '#server/http/log.ts'
import { systemClock } from '#server/process/clock.ts'
import { systemRandom } from '#server/process/random.ts'
import { createExchange } from '#server/telephony/exchange/exchange.ts'
import type { CallControl } from '#server/telephony/port.ts'

export type ExchangeQuestion =
  | { readonly kind: 'token'; readonly userId: string }
  /** Asks for the token of a handset that has claimed this number. */
  | { readonly kind: 'claim'; readonly number: string }
  | { readonly kind: 'measure' }
  | { readonly kind: 'live' }

/** Memory and CPU use after a full garbage collection. */
export interface Holding {
  readonly heapBytes: number
  readonly descriptors: number
  /** Of all threads since the start, in microseconds. */
  readonly cpuUs: number
  readonly residentBytes: number
}

const control: CallControl = {
  place: async ({ to }) => ({
    kind: 'connect',
    callId: systemRandom.uuid(),
    to,
    from: '+442079460000',
    limitMs: 3_600_000,
    rateMicroUsd: 20_000,
  }),
  report: async () => undefined,
  admitLineCheck: async () => true,
  verificationEnded: async () => undefined,
  verificationProgressed: async () => undefined,
}
const exchange = createExchange({
  clock: systemClock,
  secret: new Uint8Array(32).fill(7),
  log: createLog('silent'),
  address: { bound: '127.0.0.1', advertised: '127.0.0.1', ports: undefined },
})
const server = createServer((_, reply) => reply.writeHead(404).end())
exchange.open({ control, server })
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))

process.on('message', (question: ExchangeQuestion) => {
  void answer(question).then(value => process.send?.({ value }))
})
process.on('disconnect', () => process.exit(0))

async function answer(question: ExchangeQuestion): Promise<unknown> {
  switch (question.kind) {
    case 'token':
      return (await exchange.issueVoiceToken(question.userId)).token
    case 'claim': {
      const claimed = await exchange.claimNumber({
        number: question.number,
        whenCalled: 'ring',
        token: undefined,
      })
      if (!claimed.ok) throw new Error(claimed.code)
      return claimed.value.token
    }
    case 'live':
      return exchange.live().length
    case 'measure':
      return measure()
  }
}

async function measure(): Promise<Holding> {
  if (globalThis.gc === undefined) throw new Error('started without --expose-gc')
  // Twice, with a turn of the event loop between: the second run collects what finalisers released.
  globalThis.gc()
  await new Promise(resolve => setTimeout(resolve, 50))
  globalThis.gc()
  const { heapUsed, external, rss } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return {
    heapBytes: heapUsed + external,
    descriptors: readdirSync('/proc/self/fd').length,
    cpuUs: user + system,
    residentBytes: rss,
  }
}
