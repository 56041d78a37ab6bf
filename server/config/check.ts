/** Started before the site is built for a server (`scripts/node24.mjs`): says what would keep that server from starting. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { readConfig } from '../config.ts'
import { explain } from '../process/explain.ts'

try {
  const { databaseUrl, host, port } = readConfig(process.env)
  // On PostgreSQL a server waits for another one that is stopping, and that one may still hold the port.
  if (databaseUrl === undefined) {
    const probe = createServer().listen(port, host)
    await once(probe, 'listening')
    probe.close()
  }
} catch (error) {
  console.error(explain(error))
  process.exit(1)
}
