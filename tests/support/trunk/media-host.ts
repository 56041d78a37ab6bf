import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { findProgram, isListening } from '../program.ts'
import { startRedis } from '../redis.ts'
import { findFreePort } from '../test-server.ts'

const settings = join(import.meta.dirname, '..', '..', '..', 'deploy', 'trunk', 'rtpengine.conf')

/** Each its own: it shares a port with another of its kind without a word, and one of them gets all the packets. */
const portsEach = 100
let started = 0

export interface PortRange {
  readonly min: number
  readonly max: number
}

function nextPorts(): PortRange {
  const min = 20_000 + portsEach * ((process.pid + started++) % 100)
  return { min, max: min + portsEach - 1 }
}

/** rtpengine with `deploy/trunk/rtpengine.conf`, with commands on a free port of 127.0.0.1, and a Redis of its own. */
export interface RunningMediaHost {
  readonly url: string
  pid(): number
  /** Sends SIGKILL. */
  kill(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

/**
 * @param ports UDP, for sound: eight a call. The default is enough for tests of single calls.
 * @param address for sound. Firefox pairs none of its addresses with the loopback one.
 */
export async function startMediaHost(
  ports: PortRange = nextPorts(),
  address = '127.0.0.1',
): Promise<RunningMediaHost> {
  const program = findProgram('rtpengine')
  if (program === undefined) throw new Error('rtpengine is not installed')
  const [port, redis] = [await findFreePort(), await startRedis({ password: randomUUID() })]
  const { host, password } = new URL(redis.url)
  const args = [
    ...['--foreground', '--log-stderr', `--config-file=${settings}`, `--interface=${address}`],
    ...[`--port-min=${ports.min}`, `--port-max=${ports.max}`],
    ...[`--listen-http=127.0.0.1:${port}`, `--redis=${password}@${host}/2`],
  ]
  let child: ChildProcess | undefined
  const kill = async () => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  const start = async () => {
    child = spawn(program, args, { stdio: 'ignore' })
    await isListening(child, port)
  }
  const endWithUs = () => child?.kill('SIGKILL')
  process.once('exit', endWithUs)
  await start()
  return {
    url: `http://127.0.0.1:${port}`,
    pid: () => child?.pid ?? 0,
    kill,
    start,
    close: async () => {
      await kill()
      process.off('exit', endWithUs)
      await redis.close()
    },
  }
}
