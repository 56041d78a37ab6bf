import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { carriersList } from '#server/telephony/trunk/carriers-list.ts'
import { readTrunkFile } from '#server/telephony/trunk/trunk-file.ts'
import { type Carrier, startCarrier } from './carrier.ts'
import { type Edge, startEdge } from './edge.ts'
import { type PortRange, type RunningMediaHost, startMediaHost } from './media-host.ts'
import type { Behaviour } from './scenarios.ts'

/** A carrier of the lab. `sells`: its price list, micro-dollars a minute by prefix. */
export interface LabCarrier {
  readonly name: string
  /** What the lab's SIPp does, or the host and port of a carrier that runs already. */
  readonly behaviour: Behaviour | { readonly kind: 'elsewhere'; readonly address: string }
  readonly sells: Readonly<Record<string, number>>
  readonly ownFailures?: readonly (403 | 408 | 480)[]
}

/** Everything that `TELEPHONY=trunk` needs, on this machine: an edge, a media host, and carriers. */
export interface TrunkLab {
  /** For `TRUNK_FILE`. */
  readonly file: string
  readonly edge: Edge
  readonly mediaHost: RunningMediaHost
  /** One in SIPp, by name. */
  carrier(name: string): Carrier
  close(): Promise<void>
}

/** The numbers that its calls show, which are reserved for drama. */
export const labNumber = '+442079460000'

export interface LabOptions {
  /** TURN address and secret of a relay that callers are told of. */
  readonly relay?: { readonly address: string; readonly secret: string }
  /** Of the media host, where a test has many calls at once. */
  readonly mediaPorts?: PortRange
  /** Of the media host, for sound; 127.0.0.1 by default. */
  readonly mediaAddress?: string
}

export async function startTrunkLab(
  carriers: readonly LabCarrier[],
  { relay, mediaPorts, mediaAddress }: LabOptions = {},
): Promise<TrunkLab> {
  const directory = mkdtempSync(join(tmpdir(), 'farline-trunk-'))
  const running = new Map<string, Carrier>()
  for (const { name, behaviour } of carriers)
    if (behaviour.kind !== 'elsewhere') running.set(name, await startCarrier(behaviour))
  const find = (name: string) => {
    const found = running.get(name)
    if (found === undefined) throw new Error(`the lab has no carrier ${name}`)
    return found
  }
  const file = join(directory, 'trunk.json')
  const write = (edge: { readonly control: string; readonly redis: string }, media: string) =>
    writeFileSync(
      file,
      JSON.stringify({
        edges: [{ name: 'lab', ...edge, media }],
        publicNumbers: [labNumber],
        ...(relay && { relay: { addresses: [relay.address], secretFile: 'relay.secret' } }),
        carriers: carriers.map(({ name, behaviour, ownFailures }, index) => ({
          name,
          set: index + 1,
          addresses: [
            `sip:${behaviour.kind === 'elsewhere' ? behaviour.address : find(name).address};transport=udp`,
          ],
          prices: `${name}.csv`,
          calls: 1000,
          callsPerSecond: 1000,
          ...(ownFailures && { ownFailures }),
        })),
      }),
    )
  for (const { name, sells } of carriers) {
    const rows = Object.entries(sells).map(
      ([prefix, microUsd]) => `${prefix},,${(microUsd / 1e6).toFixed(6)}`,
    )
    writeFileSync(join(directory, `${name}.csv`), `${['prefixes,callers,usd_per_min', ...rows].join('\n')}\n`)
  }
  if (relay !== undefined) writeFileSync(join(directory, 'relay.secret'), relay.secret)
  // The edge's list comes from the file, which names the edge.
  write({ control: 'http://127.0.0.1:1', redis: 'redis://127.0.0.1:1' }, 'http://127.0.0.1:1')
  const lines = carriersList(readTrunkFile(file).carriers).trim().split('\n')
  const [edge, mediaHost] = await Promise.all([
    startEdge({ carriers: lines }),
    startMediaHost(mediaPorts, mediaAddress),
  ])
  write({ control: edge.control, redis: edge.redis }, mediaHost.url)
  return {
    file,
    edge,
    mediaHost,
    carrier: find,
    close: async () => {
      await Promise.all([edge.close(), mediaHost.close()])
      for (const carrier of running.values()) await carrier.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
