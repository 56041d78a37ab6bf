import { writeFileSync } from 'node:fs'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkCarrierPrices, checkEdge } from '#server/telephony/trunk/doctor.ts'
import { readTrunkFile, type TrunkSettings } from '#server/telephony/trunk/trunk-file.ts'
import { trunkIsMissing } from '#support/trunk/edge.ts'
import { startTrunkLab, type TrunkLab } from '#support/trunk/lab.ts'
import { found } from '../../doctor/examine.ts'

describe.skipIf(trunkIsMissing())('the doctor of trunks', () => {
  let lab: TrunkLab
  let settings: TrunkSettings
  beforeAll(async () => {
    const answers = { behaviour: { kind: 'answers' }, sells: { 44: 10_000 } } as const
    lab = await startTrunkLab([
      { name: 'blue', ...answers },
      { name: 'red', ...answers },
    ])
    settings = readTrunkFile(lab.file)
  })
  afterAll(() => lab.close())

  const edge = async (carriers = settings.carriers) => {
    const [one] = settings.edges
    return one === undefined ? [] : found(checkEdge(one, carriers))
  }

  test('finds an edge as it should be, once its Redis keeps what it knows', async () => {
    expect(await edge()).toEqual([
      'ok: Kamailio answers, and all carriers answer it.',
      'warning: Redis answers, but forgets live calls and their limits when it restarts.',
      'ok: rtpengine answers.',
    ])
    const redis = new Redis(lab.edge.redis)
    await redis.config('SET', 'appendonly', 'yes')
    redis.disconnect()
    expect((await edge())[1]).toBe('ok: Redis answers, and keeps calls through a restart.')
    expect(await found(checkCarrierPrices(settings.carriers, lab.file))).toEqual([
      'ok: The price lists can be read: blue, red.',
    ])
  })

  test('finds a carrier that is silent, one that the edge does not know, and an address that was moved', async () => {
    const [blue, red] = settings.carriers
    if (blue === undefined || red === undefined) throw new Error('the lab has two carriers')
    const [address = ''] = red.addresses
    const params = ['ip', red.set, address]
    await fetch(`${lab.edge.control}/rpc`, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'dispatcher.set_state', params }),
    })
    const moved = 'sip:127.0.0.1:1;transport=udp'
    const changed = [{ ...blue, addresses: [moved] }, red, { ...red, name: 'green', set: 3 }]
    expect((await edge(changed)).slice(0, -2)).toEqual([
      `problem: Its list of carriers lacks blue: ${moved} in set 1.`,
      `warning: Carrier red does not answer at ${address}: it gets no calls there.`,
      `problem: Its list of carriers lacks green: ${address} in set 3.`,
    ])
  })

  test('finds prices that cannot be read', async () => {
    writeFileSync(settings.carriers[0]?.prices ?? '', 'prefix\n')
    expect(await found(checkCarrierPrices(settings.carriers, lab.file))).toEqual([
      expect.stringMatching(
        /^problem: The prices of blue cannot be read: costs, line 1: expected the header/,
      ),
    ])
  })

  test('finds a Kamailio that is gone', async () => {
    await lab.edge.kill()
    const [kamailio] = await edge()
    expect(kamailio).toMatch(
      /^problem: Kamailio does not answer at http:\/\/127\.0\.0\.1:\d+ \(ECONN(REFUSED|RESET)\)\.$/,
    )
  })
})
