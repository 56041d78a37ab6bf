import type { Device as VendorDevice } from '@twilio/voice-sdk'
import type { VoiceRoute } from '#lib/api/token.ts'
import { withPlainSockets } from './plain-socket.ts'
import { soundFiles } from './sounds.ts'

/** A call outlives its signalling for this long; the client's own default loses it at once. */
const signallingTimeoutMs = 30_000
/** The code with which the client announces that the sound, not the signalling, was lost. */
export const mediaLostCode = 53405

export type Sdk = typeof import('@twilio/voice-sdk')

let loading: Promise<Sdk> | undefined

/**
 * Loads the voice client. The only import of it: it must see the right socket class when it is evaluated.
 * Rejects when it cannot be loaded; the next call tries again.
 */
export function loadSdk(route: VoiceRoute): Promise<Sdk> {
  const load = () => import('@twilio/voice-sdk')
  const plain = route.kind === 'exchange' && location.protocol === 'http:'
  loading ??= (plain ? withPlainSockets(location.host, load) : load()).catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

/** `chunderw` and `publishEvents` are options of the client that its types leave out. */
type Options = VendorDevice.Options & { chunderw?: string; publishEvents?: boolean }

/** The client's settings, the same for a telephone that calls and for one that is called. */
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
    // Left to itself the client reports every call to its vendor, at a host that the security policy does not name.
    publishEvents: false,
    getUserMedia,
  }
  return route.kind === 'exchange' ? { ...options, chunderw: `${location.host}${route.path}` } : options
}
