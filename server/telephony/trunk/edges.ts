import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../exchange/logger.ts'
import { ConnectedEdge } from './connected-edge.ts'
import type { Edge } from './edge.ts'
import type { EdgeRecord } from './edge-records.ts'
import type { EdgeAddresses } from './trunk-file.ts'

interface FoundCall {
  readonly edge: ConnectedEdge
  readonly record: EdgeRecord
}

/** All edges, to which this process is connected. */
export class Edges {
  readonly #edges: readonly ConnectedEdge[]

  constructor(addresses: readonly EdgeAddresses[], clock: Clock, log: Logger) {
    this.#edges = addresses.map(one => new ConnectedEdge(one, clock, log))
  }

  /** Connects to each by itself, and stays connected. Resolves when all can be used. */
  async open(): Promise<void> {
    await Promise.all(this.#edges.map(edge => edge.open()))
  }

  /** The usable edge with the fewest calls of this process, and none of `avoided`; undefined if there is none. */
  choose(avoided: ReadonlySet<Edge>): ConnectedEdge | undefined {
    return this.#edges
      .filter(edge => edge.isUsable && !avoided.has(edge))
      .reduce<ConnectedEdge | undefined>(
        (best, edge) => (best === undefined || edge.liveCalls < best.liveCalls ? edge : best),
        undefined,
      )
  }

  /**
   * A call by the records of the edges, whichever process placed it; the latest record, if it went over two of them.
   * @throws when no edge has it and one cannot be asked
   */
  async find(callId: string): Promise<FoundCall | undefined> {
    const asked = await Promise.allSettled(
      this.#edges.map(async edge => {
        const record = await edge.records.find(callId)
        return record && { edge, record }
      }),
    )
    const found = asked.flatMap(one =>
      one.status === 'fulfilled' && one.value !== undefined ? [one.value] : [],
    )
    const [latest] = found.sort((one, other) => other.record.placedAtMs - one.record.placedAtMs)
    const failed = asked.find(one => one.status === 'rejected')
    if (latest === undefined && failed !== undefined) throw failed.reason
    return latest
  }

  async close(): Promise<void> {
    await Promise.all(this.#edges.map(edge => edge.close()))
  }
}
