import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import * as z from 'zod/mini'
import { hostKind } from '../../config/host-kind.ts'
import { StartError } from '../../process/start-error.ts'
import type { Carrier } from './carriers.ts'
import type { RelaySettings } from './relay.ts'
import { readSecretFile } from './secret-file.ts'

/** How to reach an edge, from our servers. */
export interface EdgeAddresses {
  readonly name: string
  /** Kamailio's `EDGE_CONTROL`: `http://10.0.0.5:5080`. */
  readonly control: string
  /** rtpengine's `listen-http`: `http://10.0.0.5:22280`. */
  readonly media: string
  /** The edge's own Redis, with the database: `redis://10.0.0.5:6379/1`. */
  readonly redis: string
}

export interface TrunkSettings {
  readonly edges: readonly EdgeAddresses[]
  /** Numbers that calls may show, E.164. The first unless another makes a call cheaper. */
  readonly publicNumbers: readonly [string, ...string[]]
  readonly carriers: readonly Carrier[]
  /** coturn, for callers whose network lets no UDP through; undefined: they cannot call. */
  readonly relay: RelaySettings | undefined
}

const name = z
  .string()
  .check(z.regex(/^[a-z0-9][a-z0-9-]{0,30}$/, 'must be lower-case letters, digits and hyphens'))
const e164 = z.string().check(z.regex(/^\+[1-9]\d{6,14}$/, 'must be a number such as +442079460000'))
const count = (max: number) => {
  const text = `must be a whole number from 1 to ${max}`
  return z.number(text).check(z.refine(value => Number.isInteger(value) && value >= 1 && value <= max, text))
}
const url = (protocol: RegExp, example: string) =>
  z.url({ protocol, error: `must be an address such as ${example}` })
const sipAddressText = 'must be a SIP address such as sip:198.51.100.7:5060;transport=udp'
const sipAddress = z
  .string()
  .check(z.regex(/^sip:[a-zA-Z0-9.-]+(:\d{2,5})?;transport=(udp|tcp|tls)$/, sipAddressText))
const relayAddress = /^turns?:[a-zA-Z0-9.-]+(:\d{1,5})?(\?transport=(udp|tcp))?$/
const list = <Item extends z.core.$ZodType>(item: Item, what: string) =>
  z.array(item).check(z.minLength(1, `must name at least one ${what}`))

const carrier = z.strictObject({
  name,
  set: count(10_000),
  addresses: list(sipAddress, 'address'),
  sources: z._default(z.array(z.string().check(z.regex(/^[\d.]+$/, 'must be an IPv4 address'))), []),
  host: z.optional(z.string().check(z.regex(/^[a-zA-Z0-9.-]+$/, 'must be a host name or an address'))),
  credentials: z.optional(
    z.strictObject({
      user: z.string().check(z.regex(/^[^\s;=]+$/, 'must not contain spaces, semicolons or equals signs')),
      passwordFile: z.string(),
    }),
  ),
  prices: z.string(),
  calls: count(100_000),
  callsPerSecond: count(10_000),
  numbers: z._default(
    z.strictObject({
      plus: z.boolean(),
      prefix: z.string().check(z.regex(/^[\d*#]{0,12}$/, 'must be digits')),
    }),
    { plus: true, prefix: '' },
  ),
  callerIds: z._default(z.enum(['any', 'ours'], "must be 'any' or 'ours'"), 'any'),
  codecs: z._default(list(z.enum(['PCMU', 'PCMA'], 'must be PCMU or PCMA'), 'codec'), ['PCMU', 'PCMA']),
  srtp: z._default(z.boolean(), false),
  signed: z._default(z.boolean(), false),
  ownFailures: z._default(z.array(z.literal([403, 408, 480], 'must be 403, 408 or 480')), []),
})

const file = z.strictObject({
  edges: list(
    z.strictObject({
      name,
      control: url(/^http$/, 'http://10.0.0.5:5080'),
      media: url(/^http$/, 'http://10.0.0.5:22280'),
      redis: url(/^rediss?$/, 'redis://10.0.0.5:6379/1'),
    }),
    'edge',
  ),
  publicNumbers: list(e164, 'number'),
  carriers: list(carrier, 'carrier'),
  relay: z.optional(
    z.strictObject({
      addresses: list(
        z.string().check(z.regex(relayAddress, 'must be an address such as turns:relay.example:443')),
        'address',
      ),
      secretFile: z.string(),
    }),
  ),
})

/**
 * Edges and carriers, as `docs/operating/trunk.md` describes them. Files that it names are looked for beside it.
 * @throws StartError that names every field that is wrong
 */
export function readTrunkFile(path: string): TrunkSettings {
  const parsed = z.safeParse(file, parseJson(path))
  if (!parsed.success) {
    const problems = parsed.error.issues.flatMap(problemsOf)
    throw new StartError(`${path} cannot be used:\n${problems.map(one => `  - ${one}`).join('\n')}`)
  }
  const { edges, publicNumbers, carriers, relay } = parsed.data
  requireUnique(
    path,
    'edges',
    edges.map(one => one.name),
  )
  requireUnique(
    path,
    'carriers',
    carriers.map(one => one.name),
  )
  requireUnique(
    path,
    'sets',
    carriers.map(one => String(one.set)),
  )
  const [first, ...others] = publicNumbers
  if (first === undefined) throw new Error('the list was checked to have a number')
  const beside = (named: string) => resolve(dirname(path), named)
  return {
    edges: edges.map(edge => ({
      ...edge,
      control: edge.control.replace(/\/+$/, ''),
      media: edge.media.replace(/\/+$/, ''),
    })),
    publicNumbers: [first, ...others],
    carriers: carriers.map(({ codecs, srtp, prices, credentials, host, ...rest }) => ({
      ...rest,
      host: host ?? hostOf(rest.addresses[0] ?? ''),
      prices: beside(prices),
      media: { codecs, srtp },
      credentials: credentials && { ...credentials, passwordFile: beside(credentials.passwordFile) },
    })),
    relay: relay && { addresses: relay.addresses, secret: readSecretFile(beside(relay.secretFile)) },
  }
}

/** Outside production anybody can log in as anyone, so calls must not leave this machine. @throws StartError */
export function requireOwnMachine(path: string, { edges, carriers }: TrunkSettings): void {
  const hosts = [
    ...edges.map(({ control }) => new URL(control).hostname),
    ...carriers.flatMap(({ addresses }) => addresses.map(hostOf)),
  ]
  const other = hosts.find(host => hostKind(host) !== 'this machine')
  if (other === undefined) return
  throw new StartError(
    `${path} names ${other}, which may ring real phones. Set NODE_ENV=production, or use carriers on this machine.`,
  )
}

function problemsOf(issue: z.core.$ZodIssue): readonly string[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map(key => `${[...issue.path, key].join('.')} is not a field of this file`)
  const field = issue.path.length === 0 ? 'it' : issue.path.join('.')
  // The library's own text does not say what was expected.
  const isOwnText = issue.code !== 'invalid_type' || issue.message !== 'Invalid input'
  return [`${field} ${isOwnText ? issue.message : `must be of type ${issue.expected}`}`]
}

function parseJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new StartError(`${path} cannot be read: ${(error as Error).message}`, { cause: error })
  }
}

function requireUnique(path: string, what: string, names: readonly string[]): void {
  const repeated = names.find((one, index) => names.indexOf(one) !== index)
  if (repeated !== undefined) throw new StartError(`${path} has two ${what} called ${repeated}. Rename one.`)
}

function hostOf(address: string): string {
  return /^sip:([^:;]+)/.exec(address)?.[1] ?? ''
}
