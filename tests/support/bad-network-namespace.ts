import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A network namespace for a browser, connected by one virtual cable that can be unplugged. Needs Linux and root. */
export interface Cable {
  /** This machine's IP address on the cable. */
  readonly address: string
  /** Wraps a program so that it runs in the namespace. @returns the command's path */
  readonly wrap: (program: string) => string
  plug(into: boolean): void
  /** Gives the far end another address instead of its own, as when a phone leaves Wi-Fi. Its connections are dead from then on. */
  changeAddress(): void
  remove(): void
}

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })
}

/** The reason why no cable can be created; undefined when it can. */
export function whyNoCable(): string | undefined {
  if (process.platform !== 'linux') return 'network namespaces are a thing of Linux'
  if (process.getuid?.() !== 0) return 'network namespaces need root'
  const name = `farline-probe-${process.pid}`
  try {
    ip('netns', 'add', name)
    ip('netns', 'del', name)
    return undefined
  } catch {
    return 'network namespaces cannot be made here (`ip netns add` fails)'
  }
}

/** Creates a veth pair. Its addresses are from a range reserved for documentation. */
export function layCable(): Cable {
  const name = `farline-${process.pid}`
  const near = `fl${process.pid}a`
  const far = `fl${process.pid}b`
  const inside = (...args: string[]) => ip('netns', 'exec', name, 'ip', ...args)
  const directory = mkdtempSync(join(tmpdir(), 'farline-cable-'))
  ip('netns', 'add', name)
  ip('link', 'add', near, 'type', 'veth', 'peer', 'name', far)
  ip('link', 'set', far, 'netns', name)
  ip('addr', 'add', '198.51.100.1/24', 'dev', near)
  ip('link', 'set', near, 'up')
  let host = 2
  inside('addr', 'add', `198.51.100.${host}/24`, 'dev', far)
  inside('link', 'set', far, 'up')
  inside('link', 'set', 'lo', 'up')
  return {
    address: '198.51.100.1',
    wrap: program => {
      const script = join(directory, 'run')
      writeFileSync(script, `#!/bin/sh\nexec ip netns exec ${name} ${program} "$@"\n`)
      chmodSync(script, 0o755)
      return script
    },
    plug: into => ip('link', 'set', near, into ? 'up' : 'down'),
    changeAddress: () => {
      host += 1
      inside('addr', 'flush', 'dev', far)
      inside('addr', 'add', `198.51.100.${host}/24`, 'dev', far)
    },
    remove: () => {
      ip('link', 'del', near)
      ip('netns', 'del', name)
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
