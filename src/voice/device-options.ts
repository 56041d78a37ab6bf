import type { Device as VendorDevice } from '@twilio/voice-sdk'
import type { VoiceRoute } from '#lib/api/token.ts'
import { withPlainSockets } from './plain-socket.ts'
import { soundFiles } from './sounds.ts'

/** How long a call survives without signalling; the client's default drops it at once. */
const signallingTimeoutMs = 30_000
/** The client's code for lost media, as opposed to lost signalling. */
export const mediaLostCode = 53405

export type Sdk = typeof import('@twilio/voice-sdk')

let loading: Promise<Sdk> | undefined

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
