import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { checksOfTrunks } from '#server/doctor/trunk.ts'
import { examine } from '#server/process/finding.ts'
import { findFreePort } from '#support/test-server.ts'

const directory = mkdtempSync(join(tmpdir(), 'farline-trunk-doctor-'))
const servers: Server[] = []
afterAll(() => {
  rmSync(directory, { recursive: true, force: true })
  for (const server of servers) server.close()
})

const file = join(directory, 'trunk.json')
const free = `127.0.0.1:${await findFreePort()}`
const address = 'sip:127.0.0.1:5090;transport=udp'
const carrier = {
  name: 'blue',
  set: 1,
  addresses: [address],
  prices: 'blue.csv',
  calls: 9,
  callsPerSecond: 9,
}
const edge = {
  name: 'one',
  control: `http://${free}`,
  media: `http://${free}`,
  redis: `redis://farline:hunter2@${free}`,
}
const listOf = (rows: string) =>
  writeFileSync(join(directory, 'blue.csv'), `prefixes,callers,usd_per_min\n${rows}`)

/** What the doctor finds under this file, a line each. */
async function found(content: object, production = false): Promise<readonly string[]> {
  writeFileSync(
    file,
    JSON.stringify({ edges: [edge], publicNumbers: ['+442079460000'], carriers: [carrier], ...content }),
  )
  const findings = await Promise.all(checksOfTrunks(file, production).map(check => examine(check)))
  return findings.flat().map(({ state, about, says, mend }) => [state, about, says, mend].join('  ').trim())
}

/** A Kamailio that answers every command so. */
async function answering(status: number, body: string) {
  const server = createServer((_, reply) => reply.writeHead(status).end(body))
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { edges: [{ ...edge, control: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }] }
}

/** What is found about the edge's Kamailio. */
async function kamailio(status: number, body: string, content: object = {}) {
  const lines = await found({ ...(await answering(status, body)), ...content })
  return lines.filter(line => !/Carriers {2}|Prices {2}|Redis|rtpengine/.test(line))
}

const listed = (...targets: readonly (readonly [set: number, uri: string, flags: string])[]) =>
  JSON.stringify({
    result: {
      RECORDS: targets.map(([ID, URI, FLAGS]) => ({ SET: { ID, TARGETS: [{ DEST: { URI, FLAGS } }] } })),
    },
  })

test('a file that cannot be used is the only finding', async () => {
  expect(await found({ carriers: [{ ...carrier, set: 0 }], publicNumbers: [] })).toEqual([
    `problem  Trunk file  ${file} cannot be used: publicNumbers must name at least one number; carriers.0.set must be a whole number from 1 to 10000  Correct the file, as docs/operating/trunk.md describes it.`,
  ])
  const away = { carriers: [{ ...carrier, addresses: ['sip:198.51.100.7;transport=udp'] }] }
  expect(await found(away)).toEqual([
    expect.stringContaining('names 198.51.100.7, which may ring real phones'),
  ])
  expect((await found(away, true)).length).toBeGreaterThan(1)
})

test('a carrier without prices is a problem, with the command that imports them', async () => {
  rmSync(join(directory, 'blue.csv'), { force: true })
  const [prices] = await found({})
  expect(prices).toContain('problem  Carriers  The prices of blue cannot be read: ENOENT')
  expect(prices).toContain(`npm run prices -- <list.csv> --trunk ${file} --carrier blue --import`)
  expect((await found({})).join()).not.toContain('Prices  ')
})

test('calls that a carrier sells for more than our price are a problem', async () => {
  listOf('44,,0.000001\n')
  expect((await found({})).slice(0, 2)).toEqual([
    'ok  Carriers  The price lists can be read: blue.',
    'ok  Prices  Calls that show a public number cost what the price list says, and never less than they cost us.',
  ])
  listOf('44,,0.9\n')
  const [, prices] = await found({})
  expect(prices).toMatch(
    /^problem {2}Prices {2}With \+442079460000 calls cost more .*United Kingdom .*npm run prices/,
  )
  expect(prices).not.toContain('TWILIO')
})

test('an edge that is away is a problem of each of its programs, without its password', async () => {
  const lines = (await found({})).filter(line => line.includes('Edge one'))
  expect(lines).toEqual([
    expect.stringContaining(`problem  Edge one  Kamailio does not answer at http://${free} (ECONNREFUSED).`),
    expect.stringContaining(`problem  Edge one  Redis does not answer at ${free} (ECONNREFUSED).`),
    expect.stringContaining(`problem  Edge one  rtpengine does not answer at http://${free}.`),
  ])
  expect(lines.join()).not.toContain('hunter2')
})

test('a Kamailio that rejects us, or another server in its place, is named', async () => {
  expect(await kamailio(403, 'This address is not in EDGE_SERVERS.')).toEqual([
    expect.stringMatching(/^problem {2}Edge one {2}Kamailio at .* rejects this machine\. .*EDGE_SERVERS/),
  ])
  expect(await kamailio(404, '<html>')).toEqual([expect.stringMatching(/answers 404, but not as an edge\./)])
})

test('the edge has every carrier with every address and source, and says which are silent', async () => {
  const lacks = (where: string) =>
    expect.stringMatching(
      `^problem  Edge one  Its list of carriers lacks blue: ${where}\\.  Export the list again`,
    )
  expect(await kamailio(200, listed([1, address, 'AP']))).toEqual([
    'ok  Edge one  Kamailio answers, and all carriers answer it.',
  ])
  expect(await kamailio(500, '{"error":{"code":500,"message":"No Destination Sets"}}')).toEqual([
    lacks(`${address} in set 1`),
  ])
  expect(await kamailio(200, listed([2, address, 'AP']))).toEqual([lacks(`${address} in set 1`)])
  const withSource = { carriers: [{ ...carrier, sources: ['127.0.0.2'] }] }
  expect(await kamailio(200, listed([1, address, 'TP']), withSource)).toEqual([
    lacks('sip:127\\.0\\.0\\.2 in set 1'),
  ])
  // Sources are never asked.
  expect(await kamailio(200, listed([1, address, 'AX'], [1, 'sip:127.0.0.2', 'DX']), withSource)).toEqual([
    expect.stringMatching(/^ok /),
  ])
  for (const flags of ['IP', 'DX'])
    expect(await kamailio(200, listed([1, address, flags]))).toEqual([
      expect.stringMatching(/^warning {2}Edge one {2}Carrier blue does not answer at sip:127/),
    ])
})
