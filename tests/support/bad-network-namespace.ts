import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
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

/** The far end of a cable, in which programs run. */
interface Namespace {
  readonly wrap: Cable['wrap']
  /** Runs `ip` there. */
  readonly ip: (...args: string[]) => void
  remove(): void
}

const nearAddress = '198.51.100.1'

/** Leads from this machine over two devices into a namespace. Their addresses are from a range reserved for documentation. */
function openNamespace(near: string, far: string): Namespace {
  const name = `farline-${process.pid}`
  const directory = mkdtempSync(join(tmpdir(), 'farline-cable-'))
  const inside = (...args: string[]) => ip('netns', 'exec', name, 'ip', ...args)
  ip('netns', 'add', name)
  ip('link', 'set', far, 'netns', name)
  ip('addr', 'add', `${nearAddress}/24`, 'dev', near)
  ip('link', 'set', near, 'up')
  inside('addr', 'add', '198.51.100.2/24', 'dev', far)
  inside('link', 'set', far, 'up')
  inside('link', 'set', 'lo', 'up')
  return {
    ip: inside,
    wrap: program => {
      const script = join(directory, 'run')
      writeFileSync(script, `#!/bin/sh\nexec ip netns exec ${name} ${program} "$@"\n`)
      chmodSync(script, 0o755)
      return script
    },
    remove: () => {
      ip('netns', 'del', name)
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Creates a veth pair. */
export function layCable(): Cable {
  const near = `fl${process.pid}a`
  const far = `fl${process.pid}b`
  ip('link', 'add', near, 'type', 'veth', 'peer', 'name', far)
  const namespace = openNamespace(near, far)
  let host = 2
  return {
    address: nearAddress,
    wrap: namespace.wrap,
    plug: into => ip('link', 'set', near, into ? 'up' : 'down'),
    changeAddress: () => {
      host += 1
      namespace.ip('addr', 'flush', 'dev', far)
      namespace.ip('addr', 'add', `198.51.100.${host}/24`, 'dev', far)
    },
    remove: () => {
      ip('link', 'del', near)
      namespace.remove()
    },
  }
}

/** What a line does to packets. */
export interface LineLimits {
  readonly roundTripMs: number
  /** Of packets, at random, in each direction. */
  readonly lossPercent: number
  /** In kbit/s; `Infinity`: no limit. */
  readonly downKbits: number
  readonly upKbits: number
}

let slowCables = 0

/** In Perl, which every Debian has: Node cannot say to which device a file descriptor belongs. */
const openTunnels = `
  $^F = 9;
  for my $name (@ARGV[0, 1]) {
    open(my $tunnel, "+<", "/dev/net/tun") or die "no tunnels: $!\\n";
    ioctl($tunnel, 0x400454ca, pack("a16 S x22", $name, 0x1001)) or die "no tunnel: $!\\n";
    push @tunnels, $tunnel;
  }
  exec(@ARGV[2 .. $#ARGV], map { fileno($_) } @tunnels);
`

/**
 * A cable whose every packet passes a process of ours: kernels without netem have no slow lines of their own. It rejects where
 * tunnels cannot be made.
 */
export async function laySlowCable(limits: LineLimits): Promise<Omit<Cable, 'plug' | 'changeAddress'>> {
  // The tunnels of an earlier one go when its process does, a moment later.
  slowCables += 1
  const near = `fl${process.pid}s${slowCables}`
  const far = `fl${process.pid}t${slowCables}`
  const program = join(import.meta.dirname, 'slow-cable-process.ts')
  const forwarding = spawn(
    'perl',
    ['-e', openTunnels, near, far, process.execPath, program, JSON.stringify(limits)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const began = await Promise.race([once(forwarding.stdout, 'data'), once(forwarding, 'exit')])
  if (!(began[0] instanceof Buffer)) throw new Error('no slow cable can be laid')
  const namespace = openNamespace(near, far)
  return {
    address: nearAddress,
    wrap: namespace.wrap,
    remove: () => {
      forwarding.kill('SIGKILL')
      namespace.remove()
    },
  }
}
