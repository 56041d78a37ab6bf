import { setTimeout as sleep } from 'node:timers/promises'
import { runExchange } from '#support/exchange-run.ts'
import { call, type PlacedCall, Wire } from '../server/telephony/exchange/phone.ts'
import type { Figure } from './main.ts'

const seconds = 10

/** What a live call costs the exchange: processor and memory at 1, 10 and 20 calls with sound both ways. */
export async function benchExchangeLoad(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const calls of [1, 10, 20]) {
    const exchange = await runExchange()
    try {
      const idle = await exchange.measure()
      const placed: PlacedCall[] = []
      for (let count = 0; count < calls; count += 1) {
        const wire = await (await new Wire(exchange.host).open()).listen(await exchange.token())
        placed.push(await call(wire, '+12125550100'))
      }
      const start = await exchange.measure()
      const from = performance.now()
      await sleep(seconds * 1000)
      const end = await exchange.measure()
      const share = (end.cpuUs - start.cpuUs) / 1000 / (performance.now() - from)
      const perCall = (end.heapBytes - idle.heapBytes) / calls / 1024
      figures.push(
        {
          what: `exchange with ${calls} live call(s), of one core`,
          value: `${(share * 100).toFixed(1)} % (${((share / calls) * 100).toFixed(2)} % a call)`,
        },
        { what: `memory a call at ${calls} live call(s)`, value: `${perCall.toFixed(0)} KiB` },
      )
      for (const { phone, wire } of placed) {
        wire.drop()
        await phone.close()
      }
    } finally {
      await exchange.close()
    }
  }
  return figures
}
