import { type ChildProcess, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { createServer } from 'node:tls'
import type { Certificate } from '../certificate.ts'
import { findFreePort } from '../test-server.ts'
import { type Behaviour, scenarioOf } from './scenarios.ts'

/** A carrier: SIPp on a free port of the loopback network, which does the same with every call. */
export interface Carrier {
  /** Host and port. */
  readonly address: string
  pid(): number
  /** Everything that it sent and received. */
  log(): string
  /** A line of the edge's list: `1 sip:127.0.0.1:5090;transport=udp 0 0`. */
  line(set: number, attributes?: string): string
  /** The requests that began calls, as they came, with their headers and SDP. */
  invitations(): readonly string[]
  /** All requests of a method, as they came. */
  requests(method: string): readonly string[]
  /** What came in answer to its own requests, each once, although it may be repeated: `200 INVITE`, with the SDP. */
  replies(): readonly { readonly to: string; readonly sdp: string }[]
  /** Requests of this method that came. */
  count(method: string): number
  /** Sends SIGKILL. */
  kill(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

export interface CarrierOptions {
  /** Address of the loopback network. */
  readonly host?: string
  /** It is reached over TLS, and shows this certificate. */
  readonly tls?: Certificate
  /** By which it is reached without TLS. */
  readonly transport?: 'udp' | 'tcp'
}

export async function startCarrier(
  behaviour: Behaviour,
  { host = '127.0.0.1', tls, transport = 'udp' }: CarrierOptions = {},
): Promise<Carrier> {
  const directory = mkdtempSync(join(tmpdir(), 'farline-carrier-'))
  const scenario = join(directory, 'scenario.xml')
  const messages = join(directory, 'messages.log')
  const port = await findFreeSipPort(host)
  const front = tls && (await openTlsFront(tls, host, port))
  const reachedAt = front ? `${host}:${front.port};transport=tls` : `${host}:${port};transport=${transport}`
  writeFileSync(scenario, scenarioOf(behaviour, reachedAt))
  writeFileSync(messages, '')
  // A start overwrites the log of the one before.
  let earlier = ''
  const args = [
    // It answers the edge's question whether it is there.
    '-aa',
    '-sf',
    scenario,
    '-i',
    host,
    '-t',
    tls === undefined && transport === 'udp' ? 'u1' : 't1',
    '-p',
    String(port),
    '-trace_msg',
    '-message_file',
    messages,
  ]
  let child: ChildProcess | undefined
  const start = async (triesLeft = 3): Promise<void> => {
    earlier += readFileSync(messages, 'utf8')
    writeFileSync(messages, '')
    // Each a port of its own for sound: SIPp gives up where others have theirs.
    const mediaPort = 10_000 + 4 * Math.floor(Math.random() * 2500)
    const further = ['-mp', String(mediaPort), '-nostdin', '-rtp_echo']
    child = spawn('sipp', [...args, ...further], { cwd: directory, stdio: 'ignore' })
    await sleep(300)
    if (child.exitCode === null) return
    if (triesLeft <= 1) throw new Error(`SIPp ended with ${child.exitCode}`)
    await start(triesLeft - 1)
  }
  const kill = async () => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  const endWithUs = () => child?.kill('SIGKILL')
  process.once('exit', endWithUs)
  await start()
  const log = () => earlier + readFileSync(messages, 'utf8')
  const received = () =>
    log()
      .split(/^-{10,}.*$/m)
      .filter(message => /message received/.test(message))
      .map(message => message.slice(message.search(/^(?:[A-Z]+ sip|SIP\/2\.0 )/m)))
  const requests = (method: string) => received().filter(message => message.startsWith(`${method} `))
  return {
    address: `127.0.0.1:${port}`,
    pid: () => child?.pid ?? 0,
    log,
    line: (set, attributes = '') => `${set} sip:${reachedAt} 0 0 ${attributes}`.trim(),
    invitations: () => requests('INVITE'),
    requests,
    replies: () => {
      const replies = received()
        .filter(message => message.startsWith('SIP/2.0 '))
        .map(message => {
          const [, status = ''] = message.split(' ')
          const [, number = '', method = ''] = /^CSeq: (\d+) (\w+)/m.exec(message) ?? []
          const sdp = message.split(/\r?\n\r?\n/)[1] ?? ''
          return [`${status} ${number}`, { to: `${status} ${method}`, sdp }] as const
        })
      return [...new Map(replies).values()]
    },
    count: method => requests(method).length,
    kill,
    start: () => start(),
    close: async () => {
      await kill()
      front?.close()
      process.off('exit', endWithUs)
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** A port that is free for TCP and for UDP: SIPp ends where either is taken. */
async function findFreeSipPort(host: string): Promise<number> {
  const port = await findFreePort()
  const probe = createSocket('udp4')
  probe.bind(port, host)
  try {
    await once(probe, 'listening')
    return port
  } catch {
    return findFreeSipPort(host)
  } finally {
    probe.close()
  }
}

/** Debian's SIPp has no TLS: this takes it off. */
async function openTlsFront(
  { certificate, key }: Certificate,
  host: string,
  port: number,
): Promise<{ readonly port: number; readonly close: () => void }> {
  const sockets = new Set<Duplex>()
  const server = createServer({ cert: readFileSync(certificate), key: readFileSync(key) }, outside => {
    const inside = connect(port, host)
    for (const socket of [outside, inside]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
    }
    outside.pipe(inside).pipe(outside)
  })
  server.listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a TLS server has a port')
  return {
    port: address.port,
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
