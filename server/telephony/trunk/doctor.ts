import { Redis } from 'ioredis'
import * as z from 'zod/mini'
import {
  type Check,
  checkTimeoutMs,
  type Finding,
  type Findings,
  networkCodeOf,
} from '../../process/finding.ts'
import { StartError } from '../../process/start-error.ts'
import { readCarrierPrices } from './carrier-prices.ts'
import type { Carrier } from './carriers.ts'
import { MediaHost } from './media-host.ts'
import type { EdgeAddresses } from './trunk-file.ts'

const page = 'docs/operating/trunk.md'
/** Less than a check's own limit, so that the part without an answer is named. */
const answerTimeoutMs = checkTimeoutMs - 500

/** Whether every carrier has a price list. @param file the trunk file, for the command that imports one */
export function checkCarrierPrices(carriers: readonly Carrier[], file: string): Check {
  return {
    about: 'Carriers',
    run: async find => {
      const found = carriers.flatMap(carrier => {
        try {
          readCarrierPrices({ carriers: [carrier] })
          return []
        } catch (error) {
          if (!(error instanceof StartError)) throw error
          const command = `npm run prices -- <list.csv> --trunk ${file} --carrier ${carrier.name} --import`
          return [
            find.problem(
              `The prices of ${carrier.name} cannot be read: ${(error.cause as Error).message}.`,
              `Import its price list: ${command}`,
            ),
          ]
        }
      })
      const names = carriers.map(({ name }) => name).join(', ')
      return found.length > 0 ? found : [find.ok(`The price lists can be read: ${names}.`)]
    },
  }
}

/** Whether an edge can carry calls to all carriers: its Kamailio, Redis and rtpengine, and its list of carriers. */
export function checkEdge(edge: EdgeAddresses, carriers: readonly Carrier[]): Check {
  return {
    about: `Edge ${edge.name}`,
    run: async find =>
      (
        await Promise.all([
          checkKamailio(edge, carriers, find),
          checkEdgeRedis(edge, find),
          checkRtpengine(edge, find),
        ])
      ).flat(),
  }
}

/** `dispatcher.list`: the first flag is A (asked and answers), T (asked again), I (does not answer) or D (never asked). */
const dispatcherList = z.object({
  result: z.object({
    RECORDS: z.array(
      z.object({
        SET: z.object({
          ID: z.number(),
          TARGETS: z.array(z.object({ DEST: z.object({ URI: z.string(), FLAGS: z.string() }) })),
        }),
      }),
    ),
  }),
})

async function checkKamailio(
  { control }: EdgeAddresses,
  carriers: readonly Carrier[],
  find: Findings,
): Promise<readonly Finding[]> {
  const command = { jsonrpc: '2.0', id: 1, method: 'dispatcher.list' }
  try {
    const answer = await fetch(`${control}/rpc`, {
      method: 'POST',
      body: JSON.stringify(command),
      signal: AbortSignal.timeout(answerTimeoutMs),
    })
    if (answer.status === 403) {
      return [
        find.problem(
          `Kamailio at ${control} rejects this machine.`,
          'Add its network to EDGE_SERVERS, and restart the edge.',
        ),
      ]
    }
    const list = z.safeParse(dispatcherList, await answer.json().catch(() => undefined))
    // Without any carrier in its list it answers with an error.
    if (!list.success && answer.status !== 500) {
      return [
        find.problem(
          `${control} answers ${answer.status}, but not as an edge.`,
          'Correct `control` in the trunk file: it is EDGE_CONTROL of the edge.',
        ),
      ]
    }
    return checkList(carriers, list.data?.result.RECORDS ?? [], find)
  } catch (error) {
    return [
      find.problem(
        `Kamailio does not answer at ${control} (${networkCodeOf(error)}).`,
        `Start it with deploy/trunk/edge-run (${page}), or correct \`control\` in the trunk file.`,
      ),
    ]
  }
}

function checkList(
  carriers: readonly Carrier[],
  records: z.infer<typeof dispatcherList>['result']['RECORDS'],
  find: Findings,
): readonly Finding[] {
  const flags = new Map(
    records.flatMap(({ SET: { ID, TARGETS } }) =>
      TARGETS.map(({ DEST: { URI, FLAGS } }) => [`${ID} ${URI}`, FLAGS] as const),
    ),
  )
  const found = carriers.flatMap(({ name, set, addresses, sources }) => {
    const missing = [...addresses, ...sources.map(source => `sip:${source}`)].filter(
      address => !flags.has(`${set} ${address}`),
    )
    const silent = addresses.filter(address => /^[ID]/.test(flags.get(`${set} ${address}`) ?? ''))
    return [
      ...missing.map(address =>
        find.problem(
          `Its list of carriers lacks ${name}: ${address} in set ${set}.`,
          'Export the list again: npm run trunk -- carriers <trunk file>. Then have the edge read it again (dispatcher.reload).',
        ),
      ),
      ...silent.map(address =>
        find.warning(
          `Carrier ${name} does not answer at ${address}: it gets no calls there.`,
          "Ask the carrier, or check the edge's firewall. The edge asks every ten seconds.",
        ),
      ),
    ]
  })
  return found.length > 0 ? found : [find.ok('Kamailio answers, and all carriers answer it.')]
}

async function checkEdgeRedis({ redis: url }: EdgeAddresses, find: Findings): Promise<readonly Finding[]> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: answerTimeoutMs,
    commandTimeout: answerTimeoutMs,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
  })
  let reason: unknown
  redis.on('error', (error: unknown) => {
    reason = error
  })
  try {
    await redis.connect()
    if (/^aof_enabled:1/m.test(await redis.info('persistence')))
      return [find.ok('Redis answers, and keeps calls through a restart.')]
    return [
      find.warning(
        'Redis answers, but forgets live calls and their limits when it restarts.',
        'Set `appendonly yes` in its redis.conf, and restart it.',
      ),
    ]
  } catch (error) {
    if (/WRONGPASS|NOAUTH|invalid (username-)?password/i.test([error, reason].map(String).join()))
      return [find.problem('Redis rejects the password.', 'Correct it in `redis` in the trunk file.')]
    return [
      find.problem(
        `Redis does not answer at ${new URL(url).host} (${networkCodeOf(reason ?? error)}).`,
        'Start it, or correct `redis` in the trunk file: without it the edge places no calls.',
      ),
    ]
  } finally {
    redis.disconnect()
  }
}

async function checkRtpengine({ media }: EdgeAddresses, find: Findings): Promise<readonly Finding[]> {
  return [
    (await new MediaHost(media).isReachable())
      ? find.ok('rtpengine answers.')
      : find.problem(
          `rtpengine does not answer at ${media}.`,
          'Start it, or correct `media` in the trunk file: it is listen-http of rtpengine.',
        ),
  ]
}
