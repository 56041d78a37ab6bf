import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createLog } from '#server/http/log.ts'
import { type Clock, systemClock } from '#server/process/clock.ts'
import { systemRandom } from '#server/process/random.ts'
import { readCarrierPrices } from '#server/telephony/trunk/carrier-prices.ts'
import { createTrunk, type Trunk } from '#server/telephony/trunk/trunk.ts'
import type { CarrierAttempt } from '#server/telephony/trunk/trunk-books.ts'
import { readTrunkFile } from '#server/telephony/trunk/trunk-file.ts'
import { createRecordingControl, type RecordingControl, secret } from '../exchange/exchange-world.ts'

export interface TrunkWorld {
  readonly trunk: Trunk
  readonly control: RecordingControl
  readonly attempts: readonly CarrierAttempt[]
  /** `host:port` of the server. */
  readonly host: string
  close(): Promise<void>
}

/** A process of ours that calls over the trunks of this file, with a call service that admits every call. */
export async function startTrunkWorld(file: string, clock: Clock = systemClock): Promise<TrunkWorld> {
  const settings = readTrunkFile(file)
  const attempts: CarrierAttempt[] = []
  const carriers = readCarrierPrices(settings)
  const trunk = createTrunk(
    { ...settings, carriers },
    {
      ...{ clock, random: systemRandom, secret },
      log: createLog(process.env.TRUNK_LOG === undefined ? 'silent' : 'debug'),
      address: { bound: '127.0.0.1', advertised: '127.0.0.1', ports: undefined },
      books: { record: async attempt => void attempts.push(attempt), resultsSince: async () => [] },
    },
  )
  const control = createRecordingControl()
  const server = createServer((_, reply) => reply.writeHead(404).end())
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  await trunk.open({ control, server })
  const { port } = server.address() as AddressInfo
  return {
    ...{ trunk, control, attempts },
    host: `127.0.0.1:${port}`,
    close: async () => {
      await trunk.close()
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
