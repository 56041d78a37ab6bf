import { vi } from 'vitest'
import { type CallLinePorts, createCallLine } from '#islands/dialler/call/call-line.ts'
import type { RealTimeText } from '#lib/calls/real-time-text.ts'
import { success } from '#lib/result.ts'
import { createDigitQueue } from '#voice/digit-queue.ts'
import type { ConnectOptions, VoiceEvent } from '#voice/port.ts'
import { exampleCallee } from './example-call.ts'

export const callee = exampleCallee
export const rate = Promise.resolve(20_000)

/** A voice service that the test controls, and that records its requests. */
export function scriptedVoice() {
  const log: string[] = []
  const lines: ConnectOptions[] = []
  let attempts = 0
  let emit: (event: VoiceEvent) => void = () => undefined
  const voice = {
    log,
    lines,
    /** Whether its clients have lost the service. */
    lost: false,
    say: (event: VoiceEvent) => emit(event),
    load: async () => (_credential: unknown, onEvent: (event: VoiceEvent) => void) => {
      emit = onEvent
      return {
        attempt: `attempt-${++attempts}`,
        isLost: () => voice.lost,
        connect: (line: ConnectOptions) => {
          lines.push(line)
          log.push(`connect ${line.to}`)
        },
        hangUp: () => {
          log.push('hang up')
          onEvent({ kind: 'ended', endReason: { kind: 'caller_hung_up' } })
        },
        mute: (muted: boolean) => log.push(muted ? 'mute' : 'unmute'),
        sendText: (message: RealTimeText) => log.push(`text ${JSON.stringify(message)}`),
        sendDigits: (digits: string) => log.push(`digit ${digits}`),
        changeSound: async (kind: string, id: string | undefined) => {
          log.push(`${kind} ${id ?? 'default'}`)
          return true
        },
        microphone: () => null,
        calleeTrack: () => null,
        updateToken: (token: string) => log.push(`token ${token}`),
        destroy: () => log.push('destroy'),
      }
    },
  }
  return voice
}

/** As much of a media stream as a line touches: the browser's own cannot be had here. */
export function microphone() {
  const stop = vi.fn<() => void>()
  return { stop, stream: { getTracks: () => [{ stop }] } as unknown as MediaStream }
}

export const credential = {
  ok: true,
  value: { token: 't1', ttlSeconds: 60, route: { kind: 'exchange', path: '/exchange' } },
} as const
export const refused = (status: number, reason?: string) =>
  ({
    ok: false,
    code: 'unexpected_reply',
    message: '',
    status,
    body: { error: { code: 'x', message: 'x' }, reason },
  }) as const

export function openLine(ports: Partial<CallLinePorts> = {}) {
  const voice = scriptedVoice()
  const open = microphone()
  const line = createCallLine({
    requestToken: async () => credential,
    findObstacle: () => null,
    callerId: async () => undefined,
    openMicrophone: async () => success(open.stream),
    chosenSound: () => ({}),
    loadVoice: voice.load,
    loadDigitQueue: async () => createDigitQueue,
    loadQuietly: load => load(),
    nowMs: () => performance.now(),
    wallMs: () => Date.now(),
    wait: (ms, callback) => {
      setTimeout(callback, ms)
    },
    ...ports,
  })
  return { line, voice, microphone: open }
}

export async function answeredLine() {
  const all = openLine()
  await all.line.place({ callee, rate })
  all.voice.say({ kind: 'ringing' })
  all.voice.say({ kind: 'answered' })
  return all
}
