/**
 * The exchange alone in a process of its own, started with `--expose-gc`, so that what it holds can be
 * measured apart from the phones that call it. Run by `exchange-endurance.ts`; speaks over Node's IPC channel.
 */
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock } from '#server/clock.ts'
import { createLog } from '#server/http/log.ts'
import { systemRandom } from '#server/random.ts'
import { createExchange } from '#server/telephony/exchange/exchange.ts'
import type { CallControl } from '#server/telephony/port.ts'

export type ExchangeQuestion =
  | { readonly kind: 'token' }
  | { readonly kind: 'measure' }
  | { readonly kind: 'live' }

/** What the process holds once everything that can be freed was freed. */
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
    from: undefined,
    limitMs: 3_600_000,
  }),
  report: async () => undefined,
  admitLineCheck: async () => true,
  verificationEnded: async () => undefined,
}
const exchange = createExchange({
  clock: systemClock,
  secret: new Uint8Array(32).fill(7),
  log: createLog('silent'),
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
      return (await exchange.issueVoiceToken('user-1')).token
    case 'live':
      return exchange.live().length
    case 'measure':
      return measure()
  }
}

async function measure(): Promise<Holding> {
  if (globalThis.gc === undefined) throw new Error('started without --expose-gc')
  // Twice, with a turn of the event loop between: what a finaliser lets go is collected by the second.
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
