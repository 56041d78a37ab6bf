import type { Device as VendorDevice } from '@twilio/voice-sdk'
import type { VoiceRoute } from '#lib/api/token.ts'

/** How long a call survives without signalling; the client's default drops it at once. */
const signallingTimeoutMs = 30_000
/** The client's code for lost media, as opposed to lost signalling. */
export const mediaLostCode = 53405

export type Sdk = typeof import('@twilio/voice-sdk')

let loading: Promise<Sdk> | undefined

/**
 * Runs `load` with `wss://<host>/` redirected to `ws://<host>/`, for this host only. The voice client hard-codes the
 * scheme and captures the socket class when its module is evaluated; without TLS our exchange would be unreachable.
 */
export async function withPlainSockets<Loaded>(host: string, load: () => Promise<Loaded>): Promise<Loaded> {
  const Original = globalThis.WebSocket
  const secure = `wss://${host}/`
  class PlainWebSocket extends Original {
    constructor(url: string | URL, protocols?: string | string[]) {
      const address = String(url)
      super(address.startsWith(secure) ? `ws://${address.slice('wss://'.length)}` : address, protocols)
    }
  }
  globalThis.WebSocket = PlainWebSocket
  try {
    return await load()
  } finally {
    globalThis.WebSocket = Original
  }
}

/** The client's only import: it captures the socket class on evaluation. Rejects on failure; a later call retries. */
export function loadSdk(route: VoiceRoute): Promise<Sdk> {
  const load = () => import('@twilio/voice-sdk')
  const plain = route.kind === 'exchange' && location.protocol === 'http:'
  loading ??= (plain ? withPlainSockets(location.host, load) : load()).catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

export function destroyDevice(device: VendorDevice): void {
  device.destroy()
  // A late 'error' event without a listener would throw.
  device.on('error', () => undefined)
}

const digitSounds = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 's', 'h'] as const

/** From our own server: by default the client fetches fifteen files from its vendor. Silent but for digits. */
const soundFiles: Readonly<Record<string, string>> = {
  incoming: '/sounds/silence.wav',
  outgoing: '/sounds/silence.wav',
  disconnect: '/sounds/silence.wav',
  ...Object.fromEntries(digitSounds.map(digit => [`dtmf${digit}`, `/sounds/dtmf${digit}.wav`])),
}

/** `chunderw` and `publishEvents` are missing from the client's types. */
type Options = VendorDevice.Options & { chunderw?: string; publishEvents?: boolean }

export function deviceOptions(
  sdk: Sdk,
  route: VoiceRoute,
  getUserMedia: (constraints: MediaStreamConstraints) => Promise<MediaStream>,
): Options {
  const options: Options = {
    codecPreferences: [sdk.Call.Codec.Opus, sdk.Call.Codec.PCMU],
    enableImprovedSignalingErrorPrecision: true,
    maxCallSignalingTimeoutMs: signallingTimeoutMs,
    closeProtection: true,
    logLevel: 'silent',
    sounds: soundFiles,
    // By default the client reports every call to its vendor, at a host that our CSP does not allow.
    publishEvents: false,
    getUserMedia,
  }
  return route.kind === 'exchange' ? { ...options, chunderw: `${location.host}${route.path}` } : options
}
