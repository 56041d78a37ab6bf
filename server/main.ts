import { type Config, ConfigError, readConfig } from './config.ts'
import { systemClock } from './process/clock.ts'
import { systemRandom } from './process/random.ts'
import { StartError } from './process/start-error.ts'
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

/** The message with instructions, for errors that an operator can fix; otherwise the whole error. */
function explain(error: unknown): unknown {
  if (error instanceof ConfigError || error instanceof StartError) return error.message
  const { code, port, address } = error as NodeJS.ErrnoException & { port?: number; address?: string }
  if (code === 'EADDRINUSE') {
    return `Port ${port} is taken by another program. Stop that one, or choose another: PORT=4322 npm start`
  }
  if (code === 'EACCES' && port !== undefined) {
    return `Port ${port} needs more rights than this user has. Choose one above 1023: PORT=4321 npm start`
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `HOST ${address ?? ''} is not an address of this machine. Use 127.0.0.1, or 0.0.0.0 for all of them.`
  }
  return error
}
