import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findSecrets, readStories, secretsOf, serverLogs } from './server-logs.ts'

/**
 * Global setup of the end-to-end run: servers log at level `trace`, and their logs must contain no secrets.
 * @returns the teardown, which fails the run when it throws
 */
export default function keepServerLogs(): () => void {
  rmSync(serverLogs, { recursive: true, force: true })
  mkdirSync(serverLogs, { recursive: true })
  return () => {
    const secrets = secretsOf(readStories())
    let requests = 0
    const found = readdirSync(serverLogs).flatMap(name => {
      const log = readFileSync(join(serverLogs, name), 'utf8')
      requests += log.match(/request completed/g)?.length ?? 0
      return findSecrets(log, secrets).map(what => `${join(serverLogs, name)}, ${what}`)
    })
    if (found.length > 0) throw new Error(`the servers logged secrets:\n${found.slice(0, 50).join('\n')}`)
    if (requests === 0) throw new Error('the servers logged no request: nothing was looked through')
    console.log(
      `  The servers' logs hold no secret: ${requests} requests, ${secrets.size} numbers and passwords`,
    )
  }
}
