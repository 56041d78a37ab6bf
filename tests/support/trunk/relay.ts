import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeCertificate } from '../certificate.ts'
import { findProgram, isListening, isMissing } from '../program.ts'
import { findFreePort } from '../test-server.ts'

const settings = join(import.meta.dirname, '..', '..', '..', 'deploy', 'trunk', 'turnserver.conf')

export function relayIsMissing(): boolean {
  return isMissing(findProgram('turnserver'), 'coturn', 'coturn')
}

export interface RelayOptions {
  readonly secret: string
  /** The only address that it relays to, of the loopback network. */
  readonly mediaHost: string
  /** `tcp`: without TLS, for a browser that would reject the certificate. */
  readonly transport?: 'tls' | 'tcp'
  /** Instead of the quota of all in the settings. */
  readonly totalQuota?: number
}

export interface RunningRelay {
  /** On 127.0.0.1. */
  readonly port: number
  close(): Promise<void>
}

/** coturn with `deploy/trunk/turnserver.conf`, on a free port of 127.0.0.1. */
export async function startRelay({
  secret,
  mediaHost,
  transport = 'tls',
  totalQuota,
}: RelayOptions): Promise<RunningRelay> {
  const directory = mkdtempSync(join(tmpdir(), 'farline-relay-'))
  const made = makeCertificate(directory)
  if (made === undefined) throw new Error('openssl is not installed')
  const port = await findFreePort()
  const file = join(directory, 'turnserver.conf')
  const text = readFileSync(settings, 'utf8')
    .replaceAll('203.0.113.6', '127.0.0.1')
    .replaceAll('203.0.113.5', mediaHost)
    .replace('/etc/farline/turn-certificate.pem', made.certificate)
    .replace('/etc/farline/turn-key.pem', made.key)
    .replace('static-auth-secret=SECRET', `static-auth-secret=${secret}`)
    .replace(/(?<=^total-quota=)\d+$/m, quota => String(totalQuota ?? quota))
  const listening = 'tls-listening-port=443'
  writeFileSync(
    file,
    transport === 'tls'
      ? text.replace(listening, `tls-listening-port=${port}`)
      : text.replace(listening, `listening-port=${port}\nno-tls`).replace('no-tcp\n', ''),
  )
  const options = ['-c', file, '--pidfile=', '--allow-loopback-peers', `--userdb=${join(directory, 'users')}`]
  const child = spawn('turnserver', options, { stdio: 'ignore' })
  const endWithUs = () => child.kill('SIGKILL')
  process.once('exit', endWithUs)
  await isListening(child, port)
  return {
    port,
    close: async () => {
      child.kill('SIGKILL')
      await ended(child)
      process.off('exit', endWithUs)
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

export function ended(child: ChildProcess): Promise<unknown> {
  return child.exitCode === null && child.signalCode === null ? once(child, 'exit') : Promise.resolve()
}
