import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeMulaw, encodeMulaw, sampleRateHz } from '#server/telephony/exchange/media/mulaw.ts'
import { findProgram, isListening, isMissing } from '../program.ts'
import { findFreePort } from '../test-server.ts'
import { readWave, writeWave } from '../wave.ts'

/** A carrier with one telephone: baresip on free ports of 127.0.0.1, which answers every call. */
export interface Baresip {
  /** Host and port. */
  readonly address: string
  /** RFC 4733 events that came, in their order. */
  digits(): string
  /** Methods of the requests of its calls that came, in their order. */
  requests(): readonly string[]
  /** What came in the end in answer to its own requests: `200 BYE`. */
  replies(): readonly string[]
  /**
   * What the callee has heard, in mu-law. Nothing is added after the call was on hold, though baresip goes on getting sound.
   * @throws Error before the first call
   */
  heard(): Buffer
  /** A command of its menu, which needs a call. */
  command(name: 'hangup' | 'hold' | 'resume' | 'mute'): void
  close(): Promise<void>
}

const modules = '/usr/lib/baresip/modules'

/** Whether it is missing; then it says so. */
export function baresipIsMissing(): boolean {
  return isMissing(findProgram('baresip'), 'baresip', 'baresip-core')
}

/**
 * @param number E.164; it answers no other
 * @param loop mu-law that it says for three minutes, over and over
 * @param ringMs how long it rings before it answers
 */
export async function startBaresip(number: string, loop: Buffer, ringMs: number): Promise<Baresip> {
  for (let left = 2; ; left -= 1) {
    try {
      return await tryBaresip(number, loop, ringMs)
    } catch (error) {
      // A port that was free is somebody else's by now.
      if (left === 0) throw error
    }
  }
}

async function tryBaresip(number: string, loop: Buffer, ringMs: number): Promise<Baresip> {
  const directory = mkdtempSync(join(tmpdir(), 'farline-baresip-'))
  const recordings = join(directory, 'recordings')
  const speech = join(directory, 'speech.wav')
  const log = join(directory, 'log')
  const [port, controlPort] = [await findFreePort(), await findFreePort()]
  mkdirSync(recordings)
  writeWave(speech, { rateHz: sampleRateHz, samples: threeMinutesOf(loop) })
  writeFileSync(join(directory, 'accounts'), `<sip:${number}@127.0.0.1>;regint=0;answermode=manual\n`)
  writeFileSync(
    join(directory, 'config'),
    `sip_listen 127.0.0.1:${port}
net_interface 127.0.0.1
audio_source aufile,${speech}
# It plays to nobody; what it would play is recorded.
audio_player aubridge,nobody
ausrc_srate ${sampleRateHz}
auplay_srate ${sampleRateHz}
module_path ${modules}
module g711.so
module sndfile.so
module aufile.so
module aubridge.so
module_tmp account.so
module_app menu.so
module_app ctrl_tcp.so
ctrl_tcp_listen 127.0.0.1:${controlPort}
snd_path ${recordings}
`,
  )
  // By lines: otherwise it would write its log when it ends.
  const child = spawn('bash', ['-c', 'exec stdbuf -oL baresip -4 -s -f "$0" >"$1" 2>&1', directory, log], {
    stdio: 'ignore',
  })
  const endWithUs = () => child.kill('SIGKILL')
  process.once('exit', endWithUs)
  await isListening(child, controlPort).catch((error: unknown) => {
    process.off('exit', endWithUs)
    rmSync(directory, { recursive: true, force: true })
    throw error
  })
  const control = connect(controlPort, '127.0.0.1')
  await once(control, 'connect')
  const command = (name: string) => {
    const text = JSON.stringify({ command: name })
    control.write(`${text.length}:${text},`)
  }
  let answers = ''
  control.on('data', data => {
    answers += data
    if (String(data).includes('"CALL_INCOMING"')) setTimeout(() => command('accept'), ringMs)
  })
  const received = () => messagesTo(`127.0.0.1:${port}`, readFileSync(log, 'utf8'))
  return {
    address: `127.0.0.1:${port}`,
    digits: () =>
      [...answers.matchAll(/"type":"CALL_DTMF_START".*?"param":"(.)"/g)].map(([, digit]) => digit).join(''),
    requests: () => received().flatMap(message => /^(?!OPTIONS)([A-Z]+) sip:/.exec(message)?.[1] ?? []),
    replies: () =>
      received().flatMap(message => {
        const found = /^SIP\/2\.0 ([2-6]\d\d) .*^CSeq: \d+ (\w+)/ms.exec(message)
        return found === null ? [] : `${found[1]} ${found[2]}`
      }),
    heard: () => {
      const name = readdirSync(recordings).findLast(file => file.endsWith('-dec.wav'))
      if (name === undefined) throw new Error('baresip has had no call')
      return Buffer.from(readWave(join(recordings, name)).samples.map(encodeMulaw))
    },
    command,
    close: async () => {
      control.destroy()
      process.off('exit', endWithUs)
      if (child.exitCode === null && child.signalCode === null) {
        const gone = once(child, 'exit')
        child.kill('SIGKILL')
        await gone
      }
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

function threeMinutesOf(loop: Buffer): Int16Array {
  const length = 180 * sampleRateHz
  return Int16Array.from({ length }, (_, index) => decodeMulaw(loop[index % loop.length] ?? 0))
}

/** @param log with a trace of SIP @returns the messages that came to this host and port */
function messagesTo(address: string, log: string): readonly string[] {
  return log.split(/^UDP (?=\S+ -> )/m).flatMap(part => {
    const [, to, message = ''] = /^\S+ -> (\S+)\n(.*)$/s.exec(part) ?? []
    return to === address ? [message] : []
  })
}
