import { type ChildProcess, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeCertificate } from '#support/certificate.ts'
import { findProgram, isListening, isMissing } from '#support/program.ts'
import { findFreePort } from '#support/test-server.ts'
import { closeAfterwards } from '#support/trunk/world.ts'

const settings = join(import.meta.dirname, '..', '..', '..', 'deploy', 'trunk', 'turnserver.conf')
const secret = 'a secret of this test'
const mediaHost = '127.0.0.7'

function ended(child: ChildProcess): Promise<unknown> {
  return child.exitCode === null && child.signalCode === null ? once(child, 'exit') : Promise.resolve()
}

/** coturn with `deploy/trunk/turnserver.conf`, on a free port of 127.0.0.1. @returns its port */
async function startRelay(): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'farline-turn-'))
  closeAfterwards(async () => rmSync(directory, { recursive: true, force: true }))
  const made = makeCertificate(directory)
  if (made === undefined) throw new Error('openssl is not installed')
  const port = await findFreePort()
  const file = join(directory, 'turnserver.conf')
  const text = readFileSync(settings, 'utf8')
    .replaceAll('203.0.113.6', '127.0.0.1')
    .replaceAll('203.0.113.5', mediaHost)
    .replace('tls-listening-port=443', `tls-listening-port=${port}`)
    .replace('/etc/farline/turn-certificate.pem', made.certificate)
    .replace('/etc/farline/turn-key.pem', made.key)
    .replace('static-auth-secret=SECRET', `static-auth-secret=${secret}`)
  writeFileSync(file, text)
  const options = ['-c', file, '--pidfile=', '--allow-loopback-peers', `--userdb=${join(directory, 'users')}`]
  const child = spawn('turnserver', options, { stdio: 'ignore' })
  closeAfterwards(async () => {
    child.kill('SIGKILL')
    await ended(child)
  })
  await isListening(child, port)
  return port
}

/** Where sound would go: what comes is sent back. @returns its port */
async function openPeer(host: string): Promise<number> {
  const socket = createSocket('udp4').bind(0, host)
  await once(socket, 'listening')
  socket.on('message', (message, from) => socket.send(message, from.port, from.address))
  closeAfterwards(async () => void socket.close())
  return socket.address().port
}

/** Sends a few packets over TLS to a peer. @returns what coturn's own client says */
async function relay(port: number, peer: string, withSecret: string): Promise<string> {
  const to = ['-e', peer, '-r', String(await openPeer(peer))]
  const messages = ['-c', '-n', '3', '-m', '1', '-W', withSecret]
  const child = spawn('turnutils_uclient', ['-t', '-S', '-p', String(port), ...to, ...messages, '127.0.0.1'])
  const said: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', data => said.push(data))
  const giveUp = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await ended(child)
  clearTimeout(giveUp)
  return Buffer.concat(said).toString()
}

const missing = isMissing(findProgram('turnserver'), 'coturn', 'coturn')

describe.skipIf(missing)('a relay for networks that let only TLS through', () => {
  test('relays sound to the media host, and to nobody else', async () => {
    const port = await startRelay()
    expect(await relay(port, mediaHost, secret)).toMatch(/tot_recv_msgs=3/)
    const refused = await relay(port, '127.0.0.8', secret)
    expect(refused).toContain('Forbidden IP')
    expect(refused).not.toMatch(/tot_recv_msgs=[1-9]/)
  })

  test('relays nothing for who does not know the secret', async () => {
    const said = await relay(await startRelay(), mediaHost, 'another secret')
    expect(said).toContain('Cannot complete Allocation')
  })
})
