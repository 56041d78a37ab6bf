import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cluster, startCluster } from '#support/cluster/cluster.ts'
import { startHammer } from '#support/cluster/hammer.ts'
import { type Load, startLoad } from '#support/cluster/load.ts'
import { expectNothingLost } from '#support/cluster/outcome.ts'
import { nginxIsMissing } from '#support/nginx.ts'
import { redisIsMissing } from '#support/redis.ts'
import { endRuns } from '#support/server-run.ts'

/** Three processes behind nginx, with calls of several minutes: every part is killed again and again while they last. */

const rounds = 3
const longestCallMs = 150_000

describe.skipIf(nginxIsMissing() || redisIsMissing())('three processes behind nginx, for long', () => {
  let cluster: Cluster
  let load: Load
  beforeAll(async () => {
    cluster = await startCluster()
    load = await startLoad(cluster, { people: 12, talkMs: [500, longestCallMs] })
  })
  afterAll(async () => {
    load?.close()
    await cluster?.close()
    await endRuns()
  })

  test('a rolling restart of all of them, again and again: nobody notices', async () => {
    await load.getsOn()
    const { repeated } = load
    const hammer = startHammer(cluster.url)
    for (let round = 0; round < rounds; round += 1) {
      for (const server of cluster.servers) {
        expect(await server.stop()).toBe(0)
        await server.start()
      }
    }
    expect(await hammer.stop()).toEqual({ 401: expect.any(Number) })
    expect(load.repeated).toBe(repeated)
    expect(load.failures).toEqual([])
    await load.expectAudioForAll(longestCallMs + 30_000)
  })

  test('each part killed in turn, again and again: no charge is lost, and no request', async () => {
    for (let round = 0; round < rounds; round += 1) {
      for (const server of cluster.servers) {
        await server.kill()
        await sleep(3000)
        await server.start()
      }
      await cluster.redis.stop()
      await sleep(5000)
      await cluster.redis.start()
      cluster.redis.hang()
      await sleep(5000)
      cluster.redis.wake()
      await cluster.postgres.restart()
      await sleep(5000)
      await cluster.nginx.kill()
      await sleep(3000)
      await cluster.nginx.start()
      await Promise.all(cluster.servers.map(server => server.kill()))
      await sleep(3000)
      await Promise.all(cluster.servers.map(server => server.start()))
      await cluster.provider('POST', 'outage', { kind: round === 0 ? 'silent' : 'busy' })
      await sleep(15_000)
      await cluster.provider('POST', 'outage', {})
      await load.getsOn()
      expect(load.failures).toEqual([])
    }
    await load.expectAudioForAll(longestCallMs + 30_000)
    await load.stop()
    expect(await expectNothingLost(cluster, load, { hurried: false })).toBeGreaterThan(20)
    for (const server of cluster.servers) expect(server.output()).not.toMatch(/unhandled/i)
  })
})
