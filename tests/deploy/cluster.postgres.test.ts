import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cluster, startCluster } from '#support/cluster/cluster.ts'
import { startHammer } from '#support/cluster/hammer.ts'
import { type Load, startLoad } from '#support/cluster/load.ts'
import { expectNothingLost } from '#support/cluster/outcome.ts'
import { nginxIsMissing } from '#support/nginx.ts'
import { redisIsMissing } from '#support/redis.ts'
import { findSecrets } from '#support/server-logs.ts'
import { endRuns } from '#support/server-run.ts'

/** Three processes behind nginx, and each part killed in turn under load. `tests/full/cluster.postgres.test.ts` does it for long. */

describe.skipIf(nginxIsMissing() || redisIsMissing())('three processes behind nginx', () => {
  let cluster: Cluster
  let load: Load
  beforeAll(async () => {
    cluster = await startCluster()
    load = await startLoad(cluster, { people: 4, talkMs: [500, 3000] })
  }, 150_000)
  afterAll(async () => {
    load?.close()
    await cluster?.close()
    await endRuns()
  })

  test('each part killed in turn under load: no charge is lost, and no request', async () => {
    const [first, second, third] = cluster.servers
    if (first === undefined || second === undefined || third === undefined) throw new Error('there are three')
    await load.getsOn()

    // Stopping one process is not noticed: not one request has to be retried.
    const { repeated } = load
    const hammer = startHammer(cluster.url)
    const stopping = first.stop()
    await expect.poll(() => first.ready()).toMatchObject({ status: 503, connection: 'close' })
    expect(await stopping).toBe(0)
    await load.getsOn()
    expect(await hammer.stop()).toEqual({ 401: expect.any(Number) })
    expect(load.repeated).toBe(repeated)
    const started = first.start()

    await second.kill()
    await load.getsOn()
    await started
    const startedAgain = second.start()

    await cluster.redis.stop()
    await expect
      .poll(() => third.ready(), { timeout: 10_000 })
      .toMatchObject({ status: 200, body: expect.stringContaining('degraded') })
    await load.getsOn()
    await cluster.redis.start()
    await startedAgain

    await cluster.postgres.restart()
    await load.getsOn()

    cluster.reloadNginx()
    await load.getsOn()
    await cluster.nginx.kill()
    await cluster.nginx.start()
    await load.getsOn()

    // Calls are placed and end all the same: the carrier asks us and reports to us.
    await cluster.provider('POST', 'outage', { kind: 'busy' })
    await load.getsOn()
    await cluster.provider('POST', 'outage', {})
    await load.expectAudioForAll(20_000)
    await load.stop()

    expect(await expectNothingLost(cluster, load, { hurried: true })).toBeGreaterThan(3)
    for (const server of cluster.servers) {
      expect(server.output()).not.toMatch(/unhandled/i)
      expect(server.output()).toContain('request completed')
      expect(findSecrets(server.output(), new Set()).slice(0, 5)).toEqual([])
    }
    const ofNginx = cluster.nginx.accessLog() + cluster.nginx.errorLog()
    expect(ofNginx).toContain('/api/')
    expect(findSecrets(ofNginx, new Set()).slice(0, 5)).toEqual([])
  }, 150_000)
})
