import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright/test'
import { browserFlags } from './browser-flags.ts'
import { findProgram } from './program.ts'

/** The reason why Orca cannot read here; undefined when it can. */
export function whyNoOrca(): string | undefined {
  return ['orca', 'Xvfb', 'dbus-daemon'].every(findProgram)
    ? undefined
    : 'Orca is not installed. Install it, for example `apt-get install --no-install-recommends orca xvfb at-spi2-core dbus` as root, and run this again.'
}

export interface Orca {
  /** On Orca's own screen. */
  readonly browser: Browser
  /** All that Orca said so far. `atMs`: its time of day, in milliseconds since midnight. */
  readonly spoken: () => readonly { readonly phrase: string; readonly atMs: number }[]
  readonly close: () => Promise<void>
}

/** Starts Orca, the screen reader of Linux, and Chromium with it. Orca has no voice: it logs what it says. */
export async function openOrca(): Promise<Orca> {
  const home = mkdtempSync(join(tmpdir(), 'farline-orca-'))
  const log = join(home, 'orca.log')
  const settings = join(home, '.local', 'share', 'orca')
  mkdirSync(settings, { recursive: true })
  // Otherwise the log comes 8 KiB at a time.
  writeFileSync(
    join(settings, 'orca-customizations.py'),
    "import orca.debug as debug\ndebug.debugFile = open(debug.debugFile.name, 'a', buffering=1)\n",
  )
  const children: ChildProcess[] = []
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    HOME: home,
    XDG_RUNTIME_DIR: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local', 'share'),
    // No speech synthesis, which hangs on a machine without sound.
    SPEECHD_ADDRESS: 'unix_socket:/dev/null',
    ACCESSIBILITY_ENABLED: '1',
  }
  const start = (program: string, args: string[], stdout: 'pipe' | 'ignore') => {
    const child = spawn(findProgram(program) ?? program, args, { env, stdio: ['ignore', stdout, 'ignore'] })
    children.push(child)
    return child
  }
  const firstLine = async (child: ChildProcess) => {
    if (child.stdout === null) throw new Error(`${child.spawnfile} has no output`)
    const [data] = await once(child.stdout, 'data')
    return String(data).trim()
  }
  env['DISPLAY'] =
    `:${await firstLine(start('Xvfb', ['-displayfd', '1', '-screen', '0', '1280x900x24'], 'pipe'))}`
  env['DBUS_SESSION_BUS_ADDRESS'] = await firstLine(
    start('dbus-daemon', ['--session', '--print-address', '--nofork'], 'pipe'),
  )
  start('orca', ['--debug-file', log], 'ignore')
  const spoken = () =>
    [
      ...readFileSync(log, 'utf8').matchAll(/^(\d+):(\d+):(\d+\.\d+) - SPEECH OUTPUT: '(.*?)'(?:\{.*)?$/gm),
    ].map(([, hours, minutes, seconds, phrase = '']) => ({
      phrase,
      atMs: ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000,
    }))
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    headless: false,
    args: [...browserFlags, '--force-renderer-accessibility'],
    env: env as Record<string, string>,
  })
  return {
    browser,
    spoken,
    close: async () => {
      await browser.close()
      for (const child of children.reverse()) {
        const gone = once(child, 'exit')
        child.kill('SIGKILL')
        await gone
      }
      rmSync(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
