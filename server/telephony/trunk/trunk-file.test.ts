import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { StartError } from '../../process/start-error.ts'
import { readTrunkFile, requireOwnMachine } from './trunk-file.ts'

const directory = mkdtempSync(join(tmpdir(), 'farline-trunk-file-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
const file = join(directory, 'trunk.json')

const edge = {
  name: 'edge-1',
  control: 'http://10.0.0.5:5080',
  media: 'http://10.0.0.5:22280',
  redis: 'redis://10.0.0.5:6379/1',
}
const carrier = {
  name: 'blue',
  set: 1,
  addresses: ['sip:198.51.100.7:5060;transport=udp'],
  prices: 'blue.csv',
  calls: 100,
  callsPerSecond: 10,
}
const whole = { edges: [edge], publicNumbers: ['+442079460000'], carriers: [carrier] }

function read(content: unknown) {
  writeFileSync(file, JSON.stringify(content))
  return readTrunkFile(file)
}

/** What is wrong with the file, a line each. */
function faults(content: unknown): readonly string[] {
  try {
    read(content)
    return []
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    const [first = '', ...others] = error.message.split('\n')
    return others.length === 0 ? [first.replace(file, 'it')] : others.map(line => line.replace('  - ', ''))
  }
}

test('what a file leaves out has a default', () => {
  expect(read(whole)).toEqual({
    edges: [edge],
    publicNumbers: ['+442079460000'],
    carriers: [
      {
        name: 'blue',
        set: 1,
        addresses: ['sip:198.51.100.7:5060;transport=udp'],
        sources: [],
        host: '198.51.100.7',
        credentials: undefined,
        prices: join(directory, 'blue.csv'),
        calls: 100,
        callsPerSecond: 10,
        numbers: { plus: true, prefix: '' },
        callerIds: 'any',
        media: { codecs: ['PCMU', 'PCMA'], srtp: false },
        signed: false,
        ownFailures: [],
      },
    ],
  })
})

test('what a file names is read, and files are looked for beside it', () => {
  const named = {
    ...carrier,
    sources: ['198.51.100.8'],
    host: 'sip.carrier.example',
    credentials: { user: 'farline', passwordFile: 'secrets/blue' },
    prices: '/var/lib/farline/blue.csv',
    numbers: { plus: false, prefix: '0011#' },
    callerIds: 'ours',
    codecs: ['PCMA'],
    srtp: true,
    signed: true,
    ownFailures: [403, 480],
  }
  const { carriers, edges } = read({
    ...whole,
    edges: [{ ...edge, control: `${edge.control}/`, media: `${edge.media}/` }],
    carriers: [named],
  })
  expect(edges).toEqual([edge])
  const { codecs, srtp, ...rest } = named
  expect(carriers).toEqual([
    {
      ...rest,
      credentials: { user: 'farline', passwordFile: join(directory, 'secrets/blue') },
      media: { codecs, srtp },
    },
  ])
})

describe('a wrong field is named', () => {
  test.each([
    [{ name: 'Blue' }, 'name must be lower-case letters, digits and hyphens'],
    [{ name: 'b'.repeat(32) }, 'name must be lower-case letters, digits and hyphens'],
    [{ set: 0 }, 'set must be a whole number from 1 to 10000'],
    [{ set: 1.5 }, 'set must be a whole number from 1 to 10000'],
    [{ set: '1' }, 'set must be a whole number from 1 to 10000'],
    [{ addresses: [] }, 'addresses must name at least one address'],
    [
      { addresses: ['sip:198.51.100.7:5060'] },
      'addresses.0 must be a SIP address such as sip:198.51.100.7:5060;transport=udp',
    ],
    [
      { addresses: [...carrier.addresses, 'sip:198.51.100.7;transport=ws'] },
      'addresses.1 must be a SIP address such as sip:198.51.100.7:5060;transport=udp',
    ],
    [{ sources: ['carrier.example'] }, 'sources.0 must be an IPv4 address'],
    [{ host: 'carrier.example:5060' }, 'host must be a host name or an address'],
    [
      { credentials: { user: 'far line', passwordFile: 'blue' } },
      'credentials.user must not contain spaces, semicolons or equals signs',
    ],
    [{ calls: 0 }, 'calls must be a whole number from 1 to 100000'],
    [{ callsPerSecond: 10_001 }, 'callsPerSecond must be a whole number from 1 to 10000'],
    [{ numbers: { plus: true, prefix: '+' } }, 'numbers.prefix must be digits'],
    [{ callerIds: 'some' }, "callerIds must be 'any' or 'ours'"],
    [{ codecs: [] }, 'codecs must name at least one codec'],
    [{ codecs: ['G729'] }, 'codecs.0 must be PCMU or PCMA'],
    [{ srtp: 'yes' }, 'srtp must be of type boolean'],
    [{ ownFailures: [486] }, 'ownFailures.0 must be 403, 408 or 480'],
  ])('of a carrier: %j', (wrong, message) => {
    expect(faults({ ...whole, carriers: [{ ...carrier, ...wrong }] })).toEqual([`carriers.0.${message}`])
  })

  test.each([
    [{ name: '-edge' }, 'name must be lower-case letters, digits and hyphens'],
    [{ control: 'https://10.0.0.5' }, 'control must be an address such as http://10.0.0.5:5080'],
    [{ media: '10.0.0.5:22280' }, 'media must be an address such as http://10.0.0.5:22280'],
    [{ redis: 'http://10.0.0.5' }, 'redis must be an address such as redis://10.0.0.5:6379/1'],
  ])('of an edge: %j', (wrong, message) => {
    expect(faults({ ...whole, edges: [{ ...edge, ...wrong }] })).toEqual([`edges.0.${message}`])
  })

  test.each([
    [{ edges: [] }, 'edges must name at least one edge'],
    [{ carriers: [] }, 'carriers must name at least one carrier'],
    [{ publicNumbers: [] }, 'publicNumbers must name at least one number'],
    [{ publicNumbers: ['442079460000'] }, 'publicNumbers.0 must be a number such as +442079460000'],
  ])('of the file: %j', (wrong, message) => {
    expect(faults({ ...whole, ...wrong })).toEqual([message])
  })

  test('a missing one, an unknown one, and several at once', () => {
    const { prices, ...rest } = carrier
    expect(faults({ ...whole, carriers: [rest] })).toEqual(['carriers.0.prices must be of type string'])
    expect(faults({ ...whole, carriers: [{ ...carrier, price: prices }] })).toEqual([
      'carriers.0.price is not a field of this file',
    ])
    expect(
      faults({ ...whole, publicNumbers: ['1'], carriers: [{ ...carrier, calls: 0, set: 0 }] }),
    ).toHaveLength(3)
  })
})

test('a relay has addresses and a secret in a file', () => {
  writeFileSync(join(directory, 'relay.secret'), ' a secret\n')
  const relay = { addresses: ['turns:relay.example:443?transport=tcp'], secretFile: 'relay.secret' }
  expect(read({ ...whole, relay }).relay).toEqual({ addresses: relay.addresses, secret: 'a secret' })
  expect(read(whole).relay).toBeUndefined()
  expect(faults({ ...whole, relay: { ...relay, addresses: ['relay.example'] } })).toEqual([
    'relay.addresses.0 must be an address such as turns:relay.example:443',
  ])
  expect(() => read({ ...whole, relay: { ...relay, secretFile: 'missing' } })).toThrow('cannot be read')
})

test.each([
  ['edges', { edges: [edge, edge] }, 'edge-1'],
  ['carriers', { carriers: [carrier, { ...carrier, set: 2 }] }, 'blue'],
  ['sets', { carriers: [carrier, { ...carrier, name: 'red' }] }, '1'],
])('two %s of one name are rejected', (what, twice, name) => {
  expect(faults({ ...whole, ...twice })).toEqual([`it has two ${what} called ${name}. Rename one.`])
})

test('a file that is not there, or no JSON, says so with its name', () => {
  const missing = join(directory, 'missing.json')
  expect(() => readTrunkFile(missing)).toThrow(`${missing} cannot be read: ENOENT`)
  writeFileSync(file, '{')
  expect(() => readTrunkFile(file)).toThrow(`${file} cannot be read: `)
  expect(faults([])).toEqual(['it must be of type object'])
})

test('outside production edges and carriers are on this machine', () => {
  const here = {
    ...whole,
    edges: [{ ...edge, control: 'http://127.0.0.1:5080' }],
    carriers: [{ ...carrier, addresses: ['sip:localhost:5060;transport=udp'] }],
  }
  const check = (content: unknown) => () => requireOwnMachine(file, read(content))
  expect(check(here)).not.toThrow()
  expect(check({ ...here, edges: whole.edges })).toThrow(
    `${file} names 10.0.0.5, which may ring real phones.`,
  )
  const away = {
    ...carrier,
    addresses: ['sip:127.0.0.1;transport=udp', 'sip:sip.carrier.example;transport=tls'],
  }
  expect(check({ ...here, carriers: [away] })).toThrow(`${file} names sip.carrier.example`)
})
