import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { findProgram } from './program.ts'
import type { Spoken } from './screen-reader.ts'

/** Debian's packages by their programs. Firefox and Chromium speak to Orca over the bus of `at-spi2-core`, which Orca needs itself. */
const packages = {
  orca: 'orca',
  'speech-dispatcher': 'speech-dispatcher',
  Xvfb: 'xvfb',
  'dbus-daemon': 'dbus-daemon',
}

/** The reason why Orca cannot run here; undefined when it can. */
export function whyNoOrca(): string | undefined {
  const missing = Object.entries(packages).filter(([program]) => findProgram(program) === undefined)
  if (missing.length === 0) return undefined
  const names = missing.map(([, name]) => name).join(' ')
  return `Orca cannot run. Install what it needs, for example \`apt-get install ${names}\` as root, and run this again.`
}

export interface Orca {
  /** For the browser that it reads: its display and its buses. */
  readonly environment: Readonly<Record<string, string>>
  /** What it said since it started, except where it reads a page by itself. */
  spoken(): readonly Spoken[]
  /** All that reached the speech synthesizer and was not cut off before. */
  heard(): string
  /** Presses a key on the display's keyboard: the plus of the number pad makes Orca read a page, Control makes it stop. */
  press(key: keyof typeof keysyms): Promise<void>
  close(): Promise<void>
}

const keysyms = { F6: 0xffc3, 'KP +': 0xffab, Control: 0xffe3 }

/** With Orca's own library of the accessibility bus. */
const pressKey = (keysym: number) =>
  `import pyatspi; pyatspi.Registry.generateKeyboardEvent(${keysym}, None, pyatspi.KEY_SYM)`

/**
 * Files in Orca's home. The synthesizer is silent, and takes 20 ms for what would take seconds to say: without one that says when
 * it is done, Orca would read a page round and round. It needs a sound device all the same.
 */
const files = (speech: string, heard: string) => ({
  '.asoundrc': 'pcm.!default { type null }\nctl.!default { type null }\n',
  'config/speech-dispatcher/speechd.conf':
    'AudioOutputMethod "alsa"\nDefaultModule silent\nAddModule "silent" "sd_generic" "silent.conf"\n',
  'config/speech-dispatcher/modules/silent.conf': `GenericExecuteSynth "echo \\'$DATA\\' >> ${heard}; sleep 0.02"\nAddVoice "en" "MALE1" "silent"\n`,
  'data/orca/orca-customizations.py': writeSpeech(speech),
})

/**
 * Orca's own log of what it says, as it says it. Its debug log has the same lines, but slows it down. It reads a page when it is
 * asked to, not when the page loads: Playwright's keys, which go to the page alone, would not stop it.
 */
const writeSpeech = (file: string) => `
import logging
from orca import settings
settings.sayAllOnLoad = False
spoken = logging.FileHandler(${JSON.stringify(file)}, encoding='utf-8')
spoken.setFormatter(logging.Formatter('%(created).3f %(message)s'))
logging.getLogger('speech').addHandler(spoken)
`

/** Starts Orca as it comes, with a display, a bus and a home of its own. */
export async function startOrca(): Promise<Orca> {
  const home = mkdtempSync(join(tmpdir(), 'farline-orca-'))
  const [data, config, cache, run] = ['data', 'config', 'cache', 'run'].map(name => join(home, name))
  for (const directory of [data, config, cache, run]) mkdirSync(directory ?? '', { mode: 0o700 })
  const [speech, heard] = [join(home, 'speech.log'), join(home, 'heard.log')]
  for (const [path, text] of Object.entries(files(speech, heard))) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text)
  }

  const display = spawn(
    findProgram('Xvfb') ?? '',
    ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
  )
  const environment: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    LANG: 'C.UTF-8',
    HOME: home,
    XDG_DATA_HOME: data ?? '',
    XDG_CONFIG_HOME: config ?? '',
    XDG_CACHE_HOME: cache ?? '',
    XDG_RUNTIME_DIR: run ?? '',
    DISPLAY: `:${await firstLine(display)}`,
  }
  const bus = spawn(findProgram('dbus-daemon') ?? '', ['--session', '--nofork', '--print-address=3'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    env: environment,
  })
  environment['DBUS_SESSION_BUS_ADDRESS'] = await firstLine(bus)
  const orca = spawn(findProgram('orca') ?? '', [], { stdio: 'ignore', env: environment })
  const spoken = () => (existsSync(speech) ? readSpeech(readFileSync(speech, 'utf8')) : [])
  while (spoken().length === 0) {
    if (orca.exitCode !== null) throw new Error('Orca ended: does this user run another one?')
    await sleep(50)
  }
  return {
    environment,
    spoken,
    heard: () => (existsSync(heard) ? readFileSync(heard, 'utf8').replaceAll('\n', ' ') : ''),
    async press(key) {
      // Debian's own: another Python, earlier in PATH, would not know the library.
      await promisify(execFile)('/usr/bin/python3', ['-c', pressKey(keysyms[key])], { env: environment })
    },
    async close() {
      // Those that the bus started end with it.
      for (const child of [orca, bus, display]) await end(child)
      rmSync(home, { recursive: true, force: true })
    },
  }
}

async function firstLine(child: ChildProcess): Promise<string> {
  const [line] = await once(child.stdio[3] as NodeJS.ReadableStream, 'data')
  return String(line).trim()
}

function readSpeech(log: string): readonly Spoken[] {
  return [...log.matchAll(/^([\d.]+) SPEECH OUTPUT: '(.*?)'(?: \{.*\}| voice=\w+)?$/gm)].map(
    ([, seconds, phrase]) => ({
      phrase: phrase ?? '',
      atMs: Number(seconds) * 1000,
    }),
  )
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  // Orca waits for answers of a browser that is gone.
  child.kill('SIGKILL')
  await gone
}
