import { type Config, readConfig } from './config.ts'
import { systemClock } from './process/clock.ts'
import { explain } from './process/explain.ts'
import { systemRandom } from './process/random.ts'
import { stopTimes } from './process/stop-times.ts'
import { type RunningServer, startServer } from './start.ts'

try {
  const config = readConfig(process.env)
  const server = await startServer(config, systemClock, systemRandom)
  announce(config, server)
  let stopping = false
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (stopping) return
      stopping = true
      void stop(server)
    })
  }
} catch (error) {
  console.error(explain(error))
  process.exit(1)
}

function announce(config: Config, server: RunningServer): void {
  console.log(`Farline is ready at ${server.url}`)
  if (!config.production && config.smtp === undefined) console.log(`Local inbox: ${server.url}/dev/inbox`)
  if (config.exposeStandIns) {
    console.log('DANGEROUSLY_EXPOSE_STAND_INS is set: anybody who reaches this server can log in as anyone.')
  }
}

async function stop(server: RunningServer): Promise<void> {
  setTimeout(() => {
    console.error('Stopping took too long. The next start settles the open calls.')
    process.exit(1)
  }, stopTimes.longest).unref()
  await server.stop()
  process.exit(0)
}
