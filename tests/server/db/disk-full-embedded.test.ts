// @module-tag slow
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { fillDirectory } from '#support/embedded-template.ts'
import { endRuns, environment, run } from '#support/server-run.ts'
import { disksAreMissing, mountSmallDisk } from '#support/small-disk.ts'

/** A full disk under the embedded database: nothing is written, the reason is in the log, and with room all is well again. */

afterEach(endRuns)

test.skipIf(disksAreMissing())(
  'a full disk: people are asked to come back, the server reports not ready and says why, and recovers',
  async () => {
    const disk = mountSmallDisk(260)
    if (disk === undefined) throw new Error('unreachable')
    onTestFinished(() => disk.close())
    fillDirectory(disk.directory)
    const { PORT } = await environment('empty')
    const server = run({ PORT, DATA_DIR: disk.directory })
    await server.until(/ready/)
    const address = `http://127.0.0.1:${PORT}`
    const readiness = async () => {
      const answer = await fetch(`${address}/readyz`)
      return { status: answer.status, body: await answer.json() }
    }
    const register = (email: string) =>
      fetch(`${address}/api/auth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: `http://localhost:${PORT}` },
        body: JSON.stringify({ email, password: 'correct horse battery' }),
      })
    expect((await register('before@example.com')).status).toBe(202)
    expect(await readiness()).toEqual({ status: 200, body: { status: 'ready' } })

    disk.fill()
    for (let nth = 0; nth < 5; nth += 1) {
      const refused = await register(`full-${nth}@example.com`)
      expect(refused.status).toBe(503)
      expect(refused.headers.get('retry-after')).toBe('2')
      expect(((await refused.json()) as { error: { code: string } }).error.code).toBe('unavailable')
      expect(await readiness()).toEqual({ status: 503, body: { status: 'database unavailable' } })
    }
    expect((await fetch(`${address}/healthz`)).status).toBe(200)
    const log = server.output()
    expect(log).toContain('the database is out of space (less than 64 MB are free for ')
    expect(log.match(/not ready: the database cannot be used/g)).toHaveLength(1)

    disk.free()
    expect(await readiness()).toEqual({ status: 200, body: { status: 'ready' } })
    expect((await register('after@example.com')).status).toBe(202)
    server.child.kill('SIGTERM')
    expect(await server.exitCode()).toBe(0)
  },
)
