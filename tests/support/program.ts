import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Finds a program in PATH and in Debian's directories. Undefined: it is not installed. */
export function findProgram(name: string): string | undefined {
  const directories = [
    ...(process.env.PATH ?? '').split(delimiter),
    '/usr/bin',
    '/usr/sbin',
    '/usr/local/bin',
    '/usr/local/sbin',
  ]
  return directories.map(directory => join(directory, name)).find(file => existsSync(file))
}

/**
 * Logs why tests that need a program are skipped. For `test.skipIf`.
 * @param title the program's usual name
 * @param debianPackage that contains it
 */
export function isMissing(program: string | undefined, title: string, debianPackage: string): boolean {
  if (program !== undefined) return false
  console.log(
    `SKIPPED: ${title} is not installed. Install it, for example \`apt-get install ${debianPackage}\` as root, and run this again.`,
  )
  return true
}

/** Waits until a program accepts connections on this port of 127.0.0.1. @throws Error when it ends first */
export async function isListening(child: ChildProcess, port: number): Promise<void> {
  while (child.exitCode === null) {
    const socket = connect(port, '127.0.0.1')
    const open = await new Promise(resolve => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    })
    socket.destroy()
    if (open) return
    await sleep(20)
  }
  throw new Error(`${child.spawnfile} ended`)
}
