import type { Call as VendorCall, Device as VendorDevice } from '@twilio/voice-sdk'
import type { Playback } from './interruption-watch.ts'

/** Private parts of the client (2.18.5, pinned). If one is missing, its workaround does nothing. */
interface CallInsides {
  readonly _onMediaReconnected?: () => void
  readonly _onMediaFailure?: (failure: string) => void
  readonly _mediaHandler?: {
    readonly version?: { readonly pc?: RTCPeerConnection | null } | null
    readonly _masterAudio?: HTMLAudioElement | null
    /** By the id of the speaker. */
    readonly outputs?: ReadonlyMap<string, { readonly audio?: HTMLAudioElement | null }>
    readonly _audioContext?: AudioContext | null
  }
}

interface Stream {
  readonly status: string
  readonly transport?: { readonly state?: string; _closeSocket?(): void }
  hangup(callSid: string): void
  once(event: 'connected', listener: () => void): unknown
}

type VendorAudio = NonNullable<VendorDevice['audio']>

interface AudioInsides {
  readonly _setInputDevice?: (deviceId: string, forced: boolean) => Promise<void>
  readonly _updateAvailableDevices?: () => Promise<void>
}

interface DeviceInsides {
  readonly _stream?: Stream | null
  _setupStream?(): Promise<unknown>
}

/** Devices that have been connected. The client has the same status before and after. */
const connected = new WeakSet<VendorDevice>()

/** Connects before there is a call. Without this part the client connects with the call. */
export function openSignalling(device: VendorDevice): void {
  // The call reports that the service cannot be reached.
  ;(device as unknown as DeviceInsides)._setupStream?.().then(
    () => connected.add(device),
    () => undefined,
  )
}

/** Whether the client was connected, and no longer is. False while it connects for the first time. */
export function hasLostSignalling(device: VendorDevice): boolean {
  return connected.has(device) && streamOf(device)?.status === 'disconnected'
}

function streamOf(device: VendorDevice): Stream | null | undefined {
  return (device as unknown as DeviceInsides)._stream
}

/**
 * Replaces the socket, which may be dead on a new network. The client alone notices that after 15 s.
 * @returns whether it was open
 */
export function renewSignalling(device: VendorDevice): boolean {
  const transport = (device as unknown as DeviceInsides)._stream?.transport
  if (transport?.state !== 'open' || transport._closeSocket === undefined) return false
  transport._closeSocket()
  return true
}

/** Begins an ICE restart. The client alone begins one after some 5 s of silence. */
export function restartIce(call: VendorCall): void {
  // With any other failure the client would wait, or in Firefox end the call.
  ;(call as unknown as CallInsides)._onMediaFailure?.('IceGatheringFailed')
}

export function connectionOf(call: VendorCall): RTCPeerConnection | null {
  return (call as unknown as CallInsides)._mediaHandler?.version?.pc ?? null
}

/** Null until the connection has one. */
export function calleeTrackOf(call: VendorCall): MediaStreamTrack | null {
  const tracks = connectionOf(call)
    ?.getReceivers()
    .map(({ track }) => track)
  return tracks?.find(({ kind, readyState }) => kind === 'audio' && readyState === 'live') ?? null
}

/** Empty until the callee's audio has begun. */
export function playbackOf(call: VendorCall | undefined): Playback {
  const media = (call as CallInsides | undefined)?._mediaHandler
  const elements = [media?._masterAudio, ...[...(media?.outputs?.values() ?? [])].map(({ audio }) => audio)]
  return { elements: elements.filter(element => element != null), context: media?._audioContext ?? null }
}

/** Requests the microphone even if it is the one last requested, which the client would take for the same stream. */
export function requestMicrophone(audio: VendorAudio, deviceId: string): Promise<void> {
  const { _setInputDevice: force } = audio as unknown as AudioInsides
  return force === undefined ? audio.setInputDevice(deviceId) : force.call(audio, deviceId, true)
}

/** Has the client list the devices again: Firefox shows speakers once the microphone is open, and reports no change then. */
export async function listDevices(audio: VendorAudio | null): Promise<void> {
  await (audio as unknown as AudioInsides | null)?._updateAvailableDevices?.().catch(() => undefined)
}

/**
 * Whether the client itself replaces a lost microphone. It stops the stream that it then gets, and sends it stopped. Only the
 * first such request of a call opens the microphone. A device that we ask it to use has an id.
 */
export function isFutileRequest({ audio }: MediaStreamConstraints): boolean {
  return typeof audio !== 'object' || audio.deviceId === undefined
}

/** Reports restored media to the client, which missed it. */
export function acknowledgeMedia(call: VendorCall): void {
  ;(call as unknown as CallInsides)._onMediaReconnected?.()
}

/** Calls `onOpen` once, when audio can flow; the answer comes before. At once if the connection is inaccessible. */
export function whenSoundPasses(call: VendorCall, onOpen: () => void): void {
  const connection = connectionOf(call)
  const look = () => {
    if (connection !== null && connection.connectionState !== 'connected') return
    connection?.removeEventListener('connectionstatechange', look)
    onOpen()
  }
  connection?.addEventListener('connectionstatechange', look)
  look()
}

/**
 * Queues a hang-up for the next socket. Without a socket the client drops it, and the server would keep the call, and
 * block the user's next one, until it notices the missing audio. Call before disconnecting, which clears the call's id.
 * @returns whether a hang-up was queued; false also if there is a socket, which delivers it anyway
 */
export function leaveHangUp(device: VendorDevice, callSid: string, onDelivered: () => void): boolean {
  const stream = streamOf(device)
  if (stream?.status !== 'disconnected') return false
  // The queued hang-up follows the token; `connected` is the server's reply to that.
  stream.once('connected', onDelivered)
  stream.hangup(callSid)
  return true
}
