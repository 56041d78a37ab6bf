import { expect, test } from 'vitest'
import { creditAccount } from '#server/admin/credit-account.ts'
import { DatabaseUnavailable } from '#server/db/port.ts'
import { createLog } from '#server/http/log.ts'
import { systemRandom } from '#server/process/random.ts'
import { openApp } from '#support/app.ts'
import { findBreaches } from '#support/books.ts'
import { startPostgres } from '#support/postgres.ts'
import { disksAreMissing, mountSmallDisk } from '#support/small-disk.ts'
import { createWeb } from '#support/web.ts'

/** A full disk: what cannot be written down does not happen, and with room again everything is well. */

test.skipIf(disksAreMissing())(
  'a full disk: credits are rejected whole, people are asked to come back, and nothing is lost',
  async () => {
    const disk = mountSmallDisk(160)
    if (disk === undefined) throw new Error('unreachable')
    // No step of its own may want room in between: what fails is what we ask for.
    const server = await startPostgres({
      inside: disk.directory,
      settings: ['autovacuum=off', 'checkpoint_timeout=1h'],
    })
    const web = await createWeb({ engine: { kind: 'postgres', serverUrl: server.url } })
    const logged: string[] = []
    const app = await openApp({
      services: web.services,
      log: createLog('warn', { write: line => logged.push(line) }),
    })
    const readiness = async () => (await app.inject({ url: '/readyz' })).statusCode
    try {
      const user = await web.addUser()
      let credited = 0
      const credit = async () => {
        await creditAccount(web.services, {
          requestId: systemRandom.uuid(),
          email: user.email,
          amountMicroUsd: 10_000,
          reason: 'a test',
          actor: 'test',
        })
        credited += 1
      }
      // A log that needs a new file while the disk is full ends PostgreSQL: this moves it away from the end of one (16 MB).
      await web.db.query(`select pg_logical_emit_message(false, 'room', repeat('x', 6000000))`)
      await credit()
      expect(await readiness()).toBe(200)
      disk.fill()
      // A proof of room is good for ten seconds.
      expect(await readiness()).toBe(200)
      web.clock.advance(10_000)
      expect(await readiness()).toBe(503)
      expect(await readiness()).toBe(503)
      expect(logged).toHaveLength(1)
      expect(logged[0]).toMatch(/out of space .*No space left on device.*not ready/)
      let failure: unknown
      for (let tries = 0; tries < 1000 && failure === undefined; tries += 1) {
        await credit().catch((error: unknown) => {
          failure = error
        })
      }
      expect(failure).toBeInstanceOf(DatabaseUnavailable)
      expect(String(failure)).toMatch(/out of space .*No space left on device/)
      const refused = await web.app.inject({
        method: 'POST',
        url: '/api/auth/register',
        payload: { email: 'new@example.com', password: 'correct horse battery', name: 'x'.repeat(50) },
      })
      // It may still fit; if not, the error says so.
      expect([202, 503]).toContain(refused.statusCode)

      disk.free()
      await expect
        .poll(
          () =>
            credit().then(
              () => 'credited',
              () => 'not yet',
            ),
          { timeout: 20_000 },
        )
        .toBe('credited')
      expect(await readiness()).toBe(200)
      const [account] = await web.db.query<{ balance: number }>(
        'select balance from account where user_id = $1',
        [user.id],
      )
      expect(account?.balance).toBe(credited * 10_000)
      expect(await findBreaches(web.db)).toEqual([])
    } finally {
      await app.close()
      await web.close()
      await server.stop()
      disk.close()
    }
  },
)
