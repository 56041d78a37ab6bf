import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../test-server.ts'
import { type Behaviour, scenarioOf } from './scenarios.ts'

/** A carrier: SIPp on a free port of 127.0.0.1, which does the same with every call. */
export interface Carrier {
  /** Host and port. */
  readonly address: string
  readonly pid: number
  /** A line of the edge's list: `1 sip:127.0.0.1:5090;transport=udp 0 0`. */
  line(set: number, attributes?: string): string
  /** The requests that began calls, as they came, with their headers and SDP. */
  invitations(): readonly string[]
  /** Requests of this method that came. */
  count(method: string): number
  kill(): Promise<void>
  close(): Promise<void>
}

export async function startCarrier(behaviour: Behaviour): Promise<Carrier> {
  const directory = mkdtempSync(join(tmpdir(), 'farline-carrier-'))
  const scenario = join(directory, 'scenario.xml')
  const messages = join(directory, 'messages.log')
  writeFileSync(scenario, scenarioOf(behaviour))
  writeFileSync(messages, '')
  const port = await findFreePort()
  const args = [
    '-sf',
    scenario,
    '-i',
    '127.0.0.1',
    '-p',
    String(port),
    '-trace_msg',
    '-message_file',
    messages,
  ]
  const child: ChildProcess = spawn('sipp', [...args, '-nostdin', '-rtp_echo'], {
    cwd: directory,
    stdio: 'ignore',
  })
  await sleep(300)
  if (child.exitCode !== null) throw new Error(`SIPp ended with ${child.exitCode}`)
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  const endWithUs = () => child.kill('SIGKILL')
  process.once('exit', endWithUs)
  const received = () =>
    readFileSync(messages, 'utf8')
      .split(/^-{10,}.*$/m)
      .filter(message => /message received/.test(message))
      .map(message => message.slice(message.search(/^[A-Z]+ sip/m)))
  return {
    address: `127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    line: (set, attributes = '') => `${set} sip:127.0.0.1:${port};transport=udp 0 0 ${attributes}`.trim(),
    invitations: () => received().filter(message => message.startsWith('INVITE ')),
    count: method => received().filter(message => message.startsWith(`${method} `)).length,
    kill,
    close: async () => {
      await kill()
      process.off('exit', endWithUs)
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
