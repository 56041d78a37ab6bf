import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '#support/test-server.ts'
import type { Figure } from './main.ts'
import { median } from './median.ts'

const rounds = 5
/** How long a server is left alone before its memory is read. */
const idleMs = 5000
const maxIdleMb = 250
const root = join(import.meta.dirname, '..', '..')

/** From `npm start` to the ready line, on fresh data and on data that is there, and the memory then held. */
export async function benchStartUp(): Promise<Figure[]> {
  const fresh: number[] = []
  const again: number[] = []
  const bytesFresh: number[] = []
  const bytesAgain: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const dataDirectory = mkdtempSync(join(tmpdir(), 'farline-bench-'))
    const first = await start(dataDirectory)
    fresh.push(first.ms)
    bytesFresh.push(first.residentBytes)
    const second = await start(dataDirectory)
    again.push(second.ms)
    bytesAgain.push(second.residentBytes)
    rmSync(dataDirectory, { recursive: true, force: true })
  }
  return [
    { what: 'npm start to ready, site built, fresh data', value: `${median(fresh).toFixed(0)} ms` },
    { what: 'npm start to ready, the second time', value: `${median(again).toFixed(0)} ms` },
    { what: 'embedded server, idle, resident MB, first start', value: judge(bytesFresh) },
    { what: 'embedded server, idle, resident MB, the second time', value: judge(bytesAgain) },
  ]
}

function judge(bytes: readonly number[]): string {
  const mb = median(bytes) / 1e6
  return `${mb.toFixed(0)} (at most ${maxIdleMb}: ${mb <= maxIdleMb ? 'holds' : 'MISSED'})`
}

async function start(dataDirectory: string): Promise<{ ms: number; residentBytes: number }> {
  const began = performance.now()
  const child = spawn('npm', ['start', '--silent'], {
    cwd: root,
    env: { ...process.env, PORT: String(await findFreePort()), DATA_DIR: dataDirectory },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  let output = ''
  for await (const chunk of child.stdout) {
    output += String(chunk)
    if (output.includes('Farline is ready')) break
  }
  const ms = performance.now() - began
  await sleep(idleMs)
  const group = child.pid ?? 0
  const residentBytes = readResidentBytes(group)
  process.kill(-group, 'SIGTERM')
  if (child.exitCode === null) await once(child, 'exit')
  return { ms, residentBytes }
}

/** Resident memory of the server among the processes that `npm start` began: the largest of the group. */
function readResidentBytes(group: number): number {
  const sizes = readGroup(group).map(pid => {
    const [, kilobytes = '0'] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) * 1024
  })
  return Math.max(...sizes)
}

function readGroup(group: number): number[] {
  const children = (pid: number): number[] =>
    readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .split(' ')
      .filter(text => text !== '')
      .map(Number)
      .flatMap(child => [child, ...children(child)])
  return [group, ...children(group)]
}
