import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Heard } from './page-audio.ts'
import { findProgram } from './program.ts'

// Debian's PulseAudio, and its tools.
const serverPath = findProgram('pulseaudio')
const controlPath = findProgram('pactl')
const recorderPath = findProgram('parec')

/** The reason why there can be no sound system here; undefined when there can. */
export function whyNoSoundSystem(): string | undefined {
  return [serverPath, controlPath, recorderPath].includes(undefined)
    ? 'PulseAudio is not installed. Install it, for example `apt-get install --no-install-recommends pulseaudio pulseaudio-utils` as root, and run this again.'
    : undefined
}

const rateHz = 48_000
const listenSeconds = 0.25

/** A microphone that plays a tone, and a speaker that can be listened at. */
export interface SoundSet {
  readonly microphone: string
  readonly speaker: string
  readonly toneHz: number
}

/** Where the microphone's tone sounds: a speaker without a microphone of its own. */
export const roomOf = ({ microphone }: SoundSet) => `Room of ${microphone}`

/** A sound system of its own, with as many devices as it is given. */
export interface SoundSystem {
  /** For the browser that is to use it. */
  readonly environment: Readonly<Record<string, string>>
  /** The first set becomes the system's choice. */
  plug(set: SoundSet): void
  unplug(set: SoundSet): void
  /** What this speaker plays from now on. */
  listenAt(set: SoundSet): Promise<Heard>
  close(): Promise<void>
}

/** @throws Error when it does not start */
export async function startSoundSystem(): Promise<SoundSystem> {
  const home = mkdtempSync(join(tmpdir(), 'farline-sound-'))
  const socket = join(home, 'socket')
  const own = { HOME: home, XDG_RUNTIME_DIR: home, XDG_CONFIG_HOME: home, PULSE_RUNTIME_PATH: home }
  const tools = { ...process.env, ...own, PULSE_SERVER: `unix:${socket}` }
  const server = spawn(
    serverPath ?? 'pulseaudio',
    [
      ...['-n', '--daemonize=no', '--system=false', '--exit-idle-time=-1', '--use-pid-file=false'],
      ...['--disable-shm=true', '--log-level=error', '--log-target=stderr'],
      ...['-L', `module-native-protocol-unix socket=${socket} auth-anonymous=1`],
    ],
    { stdio: 'ignore', env: { ...process.env, ...own } },
  )
  while (!existsSync(socket)) {
    if (server.exitCode !== null) throw new Error('PulseAudio ended')
    await sleep(20)
  }
  const control = (...args: string[]) =>
    execFileSync(controlPath ?? 'pactl', args, { env: tools, encoding: 'utf8' }).trim()
  /** @param piece of hardware, by which a browser groups devices */
  const load = (
    module: string,
    kind: 'source' | 'sink',
    { name, piece }: { name: string; piece: string },
    ...more: string[]
  ) =>
    control(
      'load-module',
      module,
      `${kind}_name=${idOf(name)}`,
      `${kind}_properties='device.description="${name}" sysfs.path="/devices/${idOf(piece)}"'`,
      ...more,
    )
  /** Without rewinding, a sink takes its sound at most 50 ms early; otherwise two seconds. */
  const loadSink = (name: string, piece: string) =>
    load('module-null-sink', 'sink', { name, piece }, `rate=${rateHz}`, 'channels=1', 'norewinds=1')
  const plugged = new Map<SoundSet, readonly string[]>()

  return {
    environment: { PULSE_SERVER: `unix:${socket}` },
    plug(set) {
      const room = roomOf(set)
      plugged.set(set, [
        loadSink(set.speaker, set.speaker),
        loadSink(room, room),
        control('load-module', 'module-sine', `sink=${idOf(room)}`, `frequency=${set.toneHz}`),
        load(
          'module-remap-source',
          'source',
          { name: set.microphone, piece: set.speaker },
          `master=${idOf(room)}.monitor`,
        ),
      ])
      if (plugged.size > 1) return
      control('set-default-sink', idOf(set.speaker))
      control('set-default-source', idOf(set.microphone))
    },
    unplug(set) {
      for (const index of [...(plugged.get(set) ?? [])].reverse()) control('unload-module', index)
      plugged.delete(set)
    },
    async listenAt({ speaker }) {
      const recorder = spawn(
        recorderPath ?? 'parec',
        [
          `--device=${idOf(speaker)}.monitor`,
          ...['--format=float32le', '--channels=1', `--rate=${rateHz}`, '--latency-msec=50', '--raw'],
        ],
        { stdio: ['ignore', 'pipe', 'ignore'], env: tools },
      )
      const wanted = 4 * rateHz * listenSeconds
      let sound = Buffer.alloc(0)
      for await (const piece of recorder.stdout) {
        sound = Buffer.concat([sound, piece as Buffer])
        if (sound.length >= wanted) break
      }
      recorder.kill()
      if (sound.length < wanted) throw new Error(`nothing could be recorded at ${speaker}`)
      return heardIn(sound.subarray(0, wanted))
    },
    async close() {
      if (server.exitCode === null) {
        const gone = once(server, 'exit')
        server.kill()
        await gone
      }
      rmSync(home, { recursive: true, force: true })
    },
  }
}

const idOf = (name: string) => name.replaceAll(' ', '_')

/** The frequency of a pure tone, by how often it rises through zero. */
function heardIn(sound: Buffer): Heard {
  const samples = Array.from({ length: Math.floor(sound.length / 4) }, (_, index) =>
    sound.readFloatLE(4 * index),
  )
  const rises = samples.filter((sample, index) => sample >= 0 && (samples[index - 1] ?? 0) < 0).length
  return {
    hz: (rises * rateHz) / Math.max(1, samples.length),
    rms: Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length)),
  }
}
