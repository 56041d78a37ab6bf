import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, vi } from 'vitest'
import type { VoiceRoute } from '#lib/api/token.ts'
import type { ConnectOptions, VoiceEvent } from '#voice/port.ts'

/** The vendor's client as far as ours uses it: the test controls it. */
class ScriptedDevice extends EventEmitter {
  readonly log: unknown[] = []
  readonly call = new ScriptedCall()
  readonly token: string
  readonly options: Record<string, unknown>
  constructor(token: string, options: Record<string, unknown>) {
    super()
    this.token = token
    this.options = options
    vendor.devices.push(this)
  }
  connect(options: unknown): Promise<unknown> {
    this.log.push(['connect', options])
    return vendor.connect(this.call)
  }
  destroy(): void {
    this.log.push('destroy')
    this.removeAllListeners()
  }
  updateToken(token: string): void {
    this.log.push(['token', token])
  }
}

export class ScriptedCall extends EventEmitter {
  readonly log: unknown[] = []
  readonly parameters = { CallSid: 'CA1' }
  state = 'pending'
  status = () => this.state
  disconnect = () => void this.log.push('disconnect')
  mute = (muted: boolean) => void this.log.push(['mute', muted])
  sendDigits = (digits: string) => void this.log.push(['digits', digits])

  /** How the vendor's client ends a call: closed first, then the event, an error right after that. */
  close(error?: unknown): void {
    this.state = 'closed'
    this.emit('disconnect')
    if (error !== undefined) this.emit('error', error)
  }
}

const comesUp = async (call: ScriptedCall): Promise<unknown> => call
export const vendor = { devices: [] as ScriptedDevice[], connect: comesUp }
/** What a test is to mock the vendor's package with. */
export const sdk = { Device: ScriptedDevice, Call: { Codec: { Opus: 'opus', PCMU: 'pcmu' } } }

type Track = ReturnType<typeof track>
export function track(label = 'Built-in') {
  return Object.assign(new EventTarget(), {
    readyState: 'live',
    muted: false,
    enabled: true,
    label,
    stop: vi.fn<() => void>(),
  })
}
export function streamOf(...tracks: readonly Track[]): MediaStream {
  return { getTracks: () => tracks, getAudioTracks: () => tracks } as unknown as MediaStream
}

export const enumerateDevices = vi.fn<() => Promise<unknown[]>>(async () => [])
vi.stubGlobal('navigator', { mediaDevices: { enumerateDevices } })
vi.stubGlobal('location', { protocol: 'https:', host: 'farline.example' })
const { loadVoice } = await import('#voice/twilio.ts')
export const exchange = { kind: 'exchange', path: '/exchange' } as const

/** Before each test the vendor's client works, and the clock stands still. */
export function scriptVendor(): void {
  beforeEach(() => {
    vi.useFakeTimers()
    const network = new EventTarget()
    vi.stubGlobal('addEventListener', network.addEventListener.bind(network))
    vi.stubGlobal('removeEventListener', network.removeEventListener.bind(network))
    vi.stubGlobal('dispatchEvent', network.dispatchEvent.bind(network))
    vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
    vendor.devices.length = 0
    vendor.connect = comesUp
  })
  afterEach(() => {
    vi.useRealTimers()
  })
}

export const device = () => vendor.devices.at(-1) as ScriptedDevice
export const settle = () => vi.advanceTimersByTimeAsync(0)

export async function open(route: VoiceRoute = exchange) {
  const openVoice = await loadVoice(route)
  const events: VoiceEvent[] = []
  const client = openVoice({ token: 't1', route }, event => events.push(event))
  return { client, events, call: device().call }
}

export async function connect(
  more: Partial<ConnectOptions> = {},
  { route = exchange, microphone = track() }: { route?: VoiceRoute; microphone?: Track } = {},
) {
  const opened = await open(route)
  opened.client.connect({ to: '+12125550100', microphone: streamOf(microphone), ...more })
  await settle()
  return { ...opened, microphone }
}

/** A call that was answered; its events from then on. */
export async function answer() {
  const connected = await connect()
  connected.call.state = 'open'
  connected.call.emit('accept')
  connected.events.length = 0
  return connected
}
