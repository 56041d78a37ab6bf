import type { Call as VendorCall, Device as VendorDevice } from '@twilio/voice-sdk'

/**
 * What we need of the voice client beyond its published interface (2.18.5, pinned). Each piece may be
 * missing in another version: then nothing happens, and what it mends is as the client leaves it.
 */
interface CallInsides {
  readonly _onMediaReconnected?: () => void
  readonly _mediaHandler?: { readonly version?: { readonly pc?: RTCPeerConnection | null } | null }
}

interface Stream {
  readonly status: string
  hangup(callSid: string): void
  once(event: 'connected', listener: () => void): unknown
}

interface DeviceInsides {
  readonly _stream?: Stream | null
}

/** The path that carries a call's sound; null where it cannot be seen. */
export function connectionOf(call: VendorCall): RTCPeerConnection | null {
  return (call as unknown as CallInsides)._mediaHandler?.version?.pc ?? null
}

/** Tells the client that the sound of a call is back, which it has missed. */
export function acknowledgeMedia(call: VendorCall): void {
  ;(call as unknown as CallInsides)._onMediaReconnected?.()
}

/**
 * Waits until what a call says gets through: the client tells of the answer before the way is open.
 * @param onOpen called once; at once when the way cannot be seen
 */
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
 * Leaves word of a hang-up for when the client has a socket again: without one it drops it, and the server
 * would hold the call, and the caller's one line, until it misses the sound. To be asked before the call is
 * disconnected, for its name goes with it.
 * @param onDelivered it has gone out
 * @returns whether word was left; false also when there is a socket, over which the hang-up goes anyway
 */
export function leaveHangUp(device: VendorDevice, callSid: string, onDelivered: () => void): boolean {
  const stream = (device as unknown as DeviceInsides)._stream
  if (stream?.status !== 'disconnected') return false
  // What waits goes out right behind the token; `connected` is the server's answer to that.
  stream.once('connected', onDelivered)
  stream.hangup(callSid)
  return true
}
