import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { findProgram, isListening } from '../program.ts'
import { findFreePort } from '../test-server.ts'

/** rtpengine on a free port of 127.0.0.1, without its kernel module. */
export interface RunningMediaHost {
  readonly url: string
  readonly pid: number
  close(): Promise<void>
}

export async function startMediaHost(): Promise<RunningMediaHost> {
  const program = findProgram('rtpengine')
  if (program === undefined) throw new Error('rtpengine is not installed')
  const port = await findFreePort()
  const child = spawn(
    program,
    [
      ...['--foreground', '--log-stderr', '--log-level=3', '--table=-1', '--interface=127.0.0.1'],
      ...[`--listen-http=127.0.0.1:${port}`, '--port-min=30000', '--port-max=39999'],
    ],
    { stdio: 'ignore' },
  )
  await isListening(child, port)
  const endWithUs = () => child.kill('SIGKILL')
  process.once('exit', endWithUs)
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    close: async () => {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
      process.off('exit', endWithUs)
    },
  }
}
